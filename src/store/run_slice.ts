// How the simulation stands: which run is shown, how far it is, what came out, and what is wrong.
// run_controller.ts is the only writer of a run's progress.

import type { Ns } from '../base/units.ts';
import type { RunId, RunSummary } from '../engine/protocol.ts';
import type { Problem } from '../scenario/document.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { SetState } from './app_state.ts';

/** As the root element's data-status says it. */
export type RunStatus = 'idle' | 'running' | 'done' | 'error';

/** One line for the reader that is not about the document: a link that could not be read, a worker that was replaced. */
export interface Notice {
  readonly id: number;
  readonly tone: 'alert' | 'note';
  readonly message: string;
  readonly hint: string;
}

/** How one run would end with other settings; see fixes_controller.ts. */
export interface RunSlice {
  readonly status: RunStatus;
  /** The run whose trace is drawn; undefined before the first chunk. */
  readonly shownRunId: RunId | undefined;
  /** Scenario of the shown run. */
  readonly scenario: Scenario | undefined;
  /** How far the shown run is; its end once done. */
  readonly watermarkNs: Ns;
  /** Goes up at most once a frame while chunks arrive. */
  readonly dataVersion: number;
  /** Of the shown run, once it is done. */
  readonly summary: RunSummary | undefined;
  /** What is wrong with the document that was tried last; the shown run is then an older one. */
  readonly problems: readonly Problem[];
  /** What is shown in the place of the document with the problems. */
  readonly instead: 'lastRun' | 'defaultScene' | undefined;
  readonly notices: readonly Notice[];
  notify(tone: Notice['tone'], message: string, hint?: string): void;
  dismissNotice(id: number): void;
  /** What was wrong with a file or a link, once another is tried. */
  dismissAlerts(): void;
  dismissProblems(): void;
}

export function createRunSlice(set: SetState): RunSlice {
  let nextNoticeId = 1;
  return {
    status: 'idle',
    shownRunId: undefined,
    scenario: undefined,
    watermarkNs: 0,
    dataVersion: 0,
    summary: undefined,
    problems: [],
    instead: undefined,
    notices: [],

    notify(tone, message, hint = '') {
      const notice = { id: nextNoticeId++, tone, message, hint };
      // The same words twice say nothing new.
      set((s) => ({ notices: [...s.notices.filter((one) => one.message !== message), notice] }));
    },

    dismissNotice(id) {
      set((s) => ({ notices: s.notices.filter((one) => one.id !== id) }));
    },

    dismissAlerts() {
      set((s) => ({ notices: s.notices.filter((one) => one.tone !== 'alert'), problems: [], instead: undefined }));
    },

    dismissProblems() {
      set({ problems: [] });
    },
  };
}
