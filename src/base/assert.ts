// Bugs assert, in production too. Never used for bad input (that is a `Result`) nor for findings (those are data).

/** Throws when `condition` is false. `message` states what must hold, e.g. 'rq.curr is queued'. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`bug: it must hold that ${message}`);
}

/** Ends a `switch` over a union: a compile error when a case is missing, a throw when data lied about its type. */
export function assertNever(value: never): never {
  throw new Error(`bug: unexpected value ${JSON.stringify(value)}`);
}
