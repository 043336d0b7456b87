// Finds the name that a misspelt one was probably meant to be.

/**
 * The known name nearest to `name`, or undefined when none is close (more than a third of the letters differ).
 *
 * Swapped neighbours count as one slip, and so does a difference in case alone. O(known * length^2).
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  // Nobody's slip is that long, and comparing would cost time for hostile input.
  if (name.length > 64) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Number of insertions, deletions, replacements and swaps of neighbours between two texts. O(a.length * b.length). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** "a, b and c"; cut after `max` names with the number of those left out. */
export function listNames(names: readonly string[], max = 12): string {
  const shown = names.slice(0, max).map((name) => name.slice(0, 64));
  if (names.length > max) return `${shown.join(', ')} and ${names.length - max} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}
