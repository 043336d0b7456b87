// Growable typed columns: several typed arrays of one length, of which the first `count` rows are filled.

interface Columns {
  count: number;
}

/** Moves the filled rows of `columns` into the arrays of `bigger`, which become the arrays of `columns`. `bigger` is not to be used afterwards. O(filled rows). */
export function moveInto<T extends Columns>(columns: T, bigger: T): void {
  const from = columns as unknown as Record<string, unknown>;
  for (const [name, array] of Object.entries(bigger)) {
    if (!isNumbers(array)) continue;
    array.set((from[name] as Numbers).subarray(0, columns.count));
    from[name] = array;
  }
}

/** What all typed arrays of numbers share. */
interface Numbers {
  set(values: Numbers): void;
  subarray(begin: number, end: number): Numbers;
}

function isNumbers(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}
