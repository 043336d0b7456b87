// Work that comes in bursts, done one piece at a time with room in between: messages that wait already are all
// served before the next frame, so a stream of chunks would hold up painting and input.

/** Runs jobs in order. One job follows another at once until this long was worked; then the event loop gets a turn. */
const MAX_WORK_MS = 4;

export interface TurnQueue {
  /** Starts the job after those before it were started. Resolves or rejects as the job does. */
  run(job: () => Promise<void> | void): Promise<void>;
}

export function createTurnQueue(nowMs: () => number, yieldTurn: () => Promise<void>): TurnQueue {
  let workedMs = 0;
  let tail: Promise<void> = Promise.resolve();

  async function makeRoom(): Promise<void> {
    if (workedMs < MAX_WORK_MS) return;
    await yieldTurn();
    workedMs = 0;
  }

  function work(job: () => Promise<void> | void): Promise<void> | void {
    const began = nowMs();
    try {
      return job();
    } finally {
      workedMs += nowMs() - began;
    }
  }

  return {
    run(job) {
      const started = tail.then(makeRoom);
      const result = started.then(() => work(job));
      // Only the part that holds up the thread is done in turns: a job that waits for something else does not hold up the next.
      tail = started.then(() => {});
      return result;
    },
  };
}
