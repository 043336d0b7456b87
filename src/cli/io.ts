// What the command line needs of its host: files, standard input and output. main.ts gives the real ones, tests their own.

/** Bytes, or why there are none. */
export type ReadResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: 'missing' | 'directory' | 'too-large' | 'failed'; readonly detail: string };

export interface CliIo {
  /** Reads at most `maxBytes`; a longer file is 'too-large'. */
  readFile(path: string, maxBytes: number): Promise<ReadResult>;
  readStdin(maxBytes: number): Promise<ReadResult>;
  /** Standard output; resolves when the reader has room for more. */
  write(text: string): Promise<void>;
  /** Standard error. */
  warn(text: string): void;
  /** Width of the terminal that shows the output. */
  readonly columns: number;
}

/** Exit codes of the contract. */
export const ExitCode = {
  ok: 0,
  claimFailed: 1,
  badInput: 2,
  boundReached: 3,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
