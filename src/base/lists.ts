// Short ordered lists that change all the time. `splice` builds an array of what it removes; these don't.

/** Puts `item` before place `at` (0..length). O(length - at). */
export function insertAt<T>(list: T[], at: number, item: T): void {
  let i = list.length;
  list.push(item);
  for (; i > at; i--) list[i] = list[i - 1]!;
  list[at] = item;
}

/** Takes the item at place `at` (0..length - 1) out. O(length - at). */
export function removeAt<T>(list: T[], at: number): void {
  const last = list.length - 1;
  for (let i = at; i < last; i++) list[i] = list[i + 1]!;
  list.pop();
}

/** Takes `item` out; nothing happens when it is not there. O(length). */
export function removeItem<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) removeAt(list, at);
}
