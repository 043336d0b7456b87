// Says which Node is needed. Must stay readable for Node 12: no `??`, no `?.`, no `node:` imports.

/** True, after one line on standard error, when this Node cannot run the tools of package.json ("engines"). */
export function nodeIsTooOld() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  if (fits) return false;
  console.error(
    `Spinlane needs Node 20.19 or later (of the 22 line, 22.12 or later); this is ${process.versions.node}.`,
  );
  return true;
}
