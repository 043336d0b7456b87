// What both versions of the file hold, before events are looked at.

import type { FormatProblem } from './problem.ts';

/** One CPU's pages as the kernel's ring buffer left them. */
export interface CpuPages {
  readonly cpu: number;
  readonly bytes: Uint8Array;
}

export interface RawBuffer {
  /** '' is the top buffer, others are instances. */
  readonly name: string;
  /** '' where the file does not say. */
  readonly clock: string;
  readonly pageBytes: number;
  readonly cpus: readonly CpuPages[];
}

export interface RawFormat {
  /** 'ftrace' for the tracer's own events. */
  readonly system: string;
  readonly text: string;
}

export interface RawOption {
  readonly id: number;
  readonly bytes: Uint8Array;
}

export interface FileHead {
  readonly version: 6 | 7;
  readonly little: boolean;
  readonly longBytes: 4 | 8;
  readonly pageBytes: number;
  /** 'none' or the name of the method. Version 6 knows none. */
  readonly compression: string;
  /** Where the rest begins. */
  readonly bodyAt: number;
}

export interface Container {
  readonly headerPage: string;
  readonly formats: readonly RawFormat[];
  /** Lines `pid name`. */
  readonly cmdlines: string;
  readonly cpuCount: number;
  readonly options: readonly RawOption[];
  readonly buffers: readonly RawBuffer[];
  /** Parts that were left out. */
  readonly problems: readonly FormatProblem[];
}

/** Options of the file, by number. Those of sections exist in version 7 only. */
export const OptionId = {
  done: 0,
  date: 1,
  buffer: 3,
  traceClock: 4,
  uname: 5,
  offset: 7,
  cpuCount: 8,
  tscToNs: 14,
  strings: 15,
  headerInfo: 16,
  ftraceFormats: 17,
  eventFormats: 18,
  cmdlines: 21,
  bufferText: 22,
} as const;

/** Pages of recorded kernels are 4 to 64 KiB; sub-buffers may be larger. */
export function isPageSize(bytes: number): boolean {
  return bytes >= 256 && bytes <= 67_108_864;
}
