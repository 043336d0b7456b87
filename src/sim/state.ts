// How a run stands.

/** running; done: its end was reached; livelock: a program made too many steps at one instant; limit: a bound was reached. */
export type RunState = 'running' | 'done' | 'livelock' | 'limit';
