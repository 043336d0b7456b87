// JSON paths as people read them: threads[2].program[0].run, locks["my lock"].kind.

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Path of a key inside `path`. */
export function childPath(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key.length > 80 ? `${key.slice(0, 80)}…` : key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Path of an element inside `path`. */
export function elementPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** The keys and indices of a path, as made by `childPath` and `elementPath`. O(path). */
export function pathTokens(path: string): (string | number)[] {
  const tokens: (string | number)[] = [];
  for (const match of path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)) {
    if (match[1] !== undefined) tokens.push(Number(match[1]));
    else if (match[2] !== undefined) tokens.push(JSON.parse(match[2]) as string);
    else tokens.push(match[3]!);
  }
  return tokens;
}
