// What a reader of recordings says about input that it cannot read.

/** A fault of the input, for people. */
export interface FormatProblem {
  /** Where in the file, as `byte 1234` or with the part's name. */
  readonly place: string;
  /** What is wrong there. */
  readonly reason: string;
  /** What to do about it. */
  readonly hint: string;
}

/** A problem at a byte of the file. */
export function problemAt(byte: number, reason: string, hint: string): FormatProblem {
  return { place: `byte ${byte}`, reason, hint };
}

export const CUT_SHORT = 'The file is cut short or damaged. Record or copy it again.';
