// Fakes of the store's ports for tests: time that stands still until it is moved, an address with a history, an engine
// that answers when told. Used by tests only.

import type { RunRequest, RunSink, RunSummary } from '../../engine/protocol.ts';
import type { AddressPort, EnginePort, TimePort } from '../ports.ts';

export interface FakeTime extends TimePort {
  /** Moves the clock, and runs what falls due: timers in order, then one frame. */
  move(byMs: number): void;
}

export function createFakeTime(): FakeTime {
  let now = 0;
  let timers: { readonly dueMs: number; readonly run: () => void }[] = [];
  let frames: ((nowMs: number) => void)[] = [];
  return {
    nowMs: () => now,
    after(delayMs, run) {
      const timer = { dueMs: now + delayMs, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    frame(run) {
      frames.push(run);
      return () => {
        frames = frames.filter((one) => one !== run);
      };
    },
    move(byMs) {
      now += byMs;
      const due = timers.filter((one) => one.dueMs <= now);
      timers = timers.filter((one) => one.dueMs > now);
      for (const timer of due) timer.run();
      const ready = frames;
      frames = [];
      for (const run of ready) run(now);
    },
  };
}

export interface FakeAddress extends AddressPort {
  readonly entries: readonly string[];
  /** As the reader's Back button. */
  back(): void;
}

export function createFakeAddress(first = ''): FakeAddress {
  const entries = [first];
  const listeners: (() => void)[] = [];
  return {
    entries,
    hash: () => entries.at(-1) ?? '',
    push: (hash) => void entries.push(hash),
    replace(hash) {
      entries[entries.length - 1] = hash;
    },
    onChange(listener) {
      listeners.push(listener);
      return () => listeners.splice(listeners.indexOf(listener), 1);
    },
    back() {
      entries.pop();
      for (const listener of listeners) listener();
    },
  };
}

export interface FakeCall {
  readonly request: RunRequest;
  readonly sink: RunSink;
  end(summary: RunSummary | undefined): void;
  crash(message: string): void;
}

export interface FakeEngine extends EnginePort {
  readonly calls: readonly FakeCall[];
  readonly cancelled: readonly number[];
}

export function createFakeEngine(): FakeEngine {
  const calls: FakeCall[] = [];
  const cancelled: number[] = [];
  return {
    calls,
    cancelled,
    start: (request, sink) =>
      new Promise((resolve, reject) => {
        calls.push({ request, sink, end: resolve, crash: (message) => reject(new Error(message)) });
      }),
    cancel: (runId) => void cancelled.push(runId),
    close: () => undefined,
  };
}

/** Lets every promise that is settled be heard. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
