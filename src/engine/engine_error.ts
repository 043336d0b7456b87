// Why a run ended without an answer. Bad input never comes this way: it is told through the sink.

/**
 * crashed: the worker threw outside of a run or could not be loaded. stuck: nothing was heard from it.
 * version: page and worker were built apart. closed: the client was closed. bug: the run threw.
 */
export type EngineErrorCode = 'crashed' | 'stuck' | 'version' | 'closed' | 'bug';

export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}
