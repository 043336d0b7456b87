// Random programs that are right: what is locked is unlocked, conditions have their lock, endless loops take time.
// biome-ignore-all lint/suspicious/noThenProperty: the scenario format calls it "then".

import type { Stream } from '../../base/prng.ts';
import type { Json, JsonObject } from '../../scenario/document.ts';
import { chance, int, maybe, pick, time } from './draw.ts';

/** Names that a program may use. */
export interface Names {
  readonly mutexes: readonly string[];
  readonly rws: readonly string[];
  readonly sems: readonly string[];
  readonly conds: readonly string[];
  /** The lock of all conditions. */
  readonly condLock: string | undefined;
  readonly barriers: readonly string[];
  readonly forked: readonly string[];
  readonly cpus: number;
  readonly kernel: string;
  readonly durationNs: number;
}

const MAX_DEPTH = 3;

export function randomProgram(s: Stream, names: Names): Json[] {
  const steps = stepsOf(s, names, int(s, 1, 6), 0, true);
  const takesTime = { run: randomTime(s, 1_000, 2_000_000) };
  switch (int(s, 0, 5)) {
    case 0:
      return steps;
    case 1:
      return [...steps, { run: 'forever' }];
    case 2:
      return [...steps, chance(s, 50) ? 'exit' : { repeat: int(s, 0, 5), do: steps }];
    case 3:
      return [{ repeat: { until: time(s, 0, names.durationNs) }, do: [...steps, takesTime] }, ...steps];
    default:
      return [{ repeat: 'forever', do: [...steps, takesTime] }];
  }
}

function stepsOf(s: Stream, names: Names, count: number, depth: number, mayFork: boolean): Json[] {
  return Array.from({ length: count }, () => block(s, names, depth, mayFork)).flat();
}

/** A fixed time or one that is drawn in each round. */
function randomTime(s: Stream, lowNs: number, highNs: number): Json {
  const t = (): string => time(s, lowNs, highNs);
  switch (int(s, 0, 11)) {
    case 0: {
      const low = int(s, lowNs, highNs);
      return { uniform: [`${low}ns`, `${int(s, low, highNs)}ns`] };
    }
    case 1:
      return { oneOf: Array.from({ length: int(s, 1, 4) }, t) };
    case 2:
      return { exponential: t() };
    case 3:
      return { normal: [t(), time(s, 0, highNs)] };
    case 4: {
      const median = int(s, lowNs, highNs);
      return { lognormal: { median: `${median}ns`, sigma: pick(s, [0, 0.1, 0.5, 1, 3]), max: `${median * 4}ns` } };
    }
    default:
      return t();
  }
}

const BLOCKS = [
  'run',
  'run',
  'run',
  'sleep',
  'sleep',
  'io',
  'yield',
  'runUntil',
  'sleepUntil',
  'period',
  'mark',
  'set',
  'fork',
  'section',
  'section',
  'section',
  'try',
  'read',
  'condition',
  'post',
  'post',
  'wait',
  'signal',
  'barrier',
  'claim',
  'repeat',
] as const;

/** A few steps that belong together; none where the document lacks what they need. */
function block(s: Stream, names: Names, depth: number, mayFork: boolean): Json[] {
  const inner = (most: number, held = ''): Json[] =>
    depth >= MAX_DEPTH
      ? [{ run: time(s, 100, 300_000) }]
      : stepsOf(s, without(names, held), int(s, 0, most), depth + 1, false);
  // Now and then a thread asks for what it has: it waits for itself, here until it gives up.
  const again = (lock: string): Json[] => (chance(s, 4) ? [{ lock, timeout: '50us' }] : []);
  const kind = pick(s, BLOCKS);
  switch (kind) {
    case 'run':
      return [{ run: randomTime(s, 1, 3_000_000) }];
    case 'sleep':
    case 'io':
      return [{ [kind]: randomTime(s, 0, 3_000_000) }];
    case 'yield':
      return ['yield'];
    case 'runUntil':
    case 'sleepUntil':
      return [{ [kind]: time(s, 0, names.durationNs) }];
    case 'period':
      return [{ period: time(s, 50_000, 5_000_000) }];
    case 'mark':
      return [{ mark: pick(s, ['here', 'there', '<b>']) }];
    case 'set':
      return [{ set: randomSet(s, names) }];
    case 'fork':
      return mayFork && names.forked.length > 0 ? [{ fork: pick(s, names.forked) }] : [];
    case 'section': {
      const all = [...names.mutexes, ...names.rws];
      if (all.length === 0) return [];
      const lock = pick(s, all);
      const waits = maybe(s, 25, () => ({
        timeout: randomTime(s, 1, 1_000_000),
        ...maybe(s, 50, () => ({ else: inner(2, lock) })),
      }));
      return [{ lock, ...waits }, ...inner(3, lock), ...again(lock), { unlock: lock }];
    }
    case 'try': {
      if (names.mutexes.length === 0) return [];
      const lock = pick(s, names.mutexes);
      return [{ tryLock: lock, then: [...inner(2, lock), { unlock: lock }], else: inner(2, lock) }];
    }
    case 'read': {
      if (names.rws.length === 0) return [];
      const lock = pick(s, names.rws);
      return [{ readLock: lock }, ...inner(2, lock), { unlock: lock }];
    }
    case 'condition': {
      const lock = names.condLock;
      if (names.conds.length === 0 || lock === undefined || !names.mutexes.includes(lock)) return [];
      return [
        { lock },
        ...inner(1, lock),
        { condWait: pick(s, names.conds), lock },
        ...inner(1, lock),
        { unlock: lock },
      ];
    }
    case 'post':
    case 'wait':
      return names.sems.length > 0 ? [{ [kind]: pick(s, names.sems) }] : [];
    case 'signal':
      return names.conds.length > 0 ? [{ [pick(s, ['signal', 'broadcast'])]: pick(s, names.conds) }] : [];
    case 'barrier':
      // Inside a branch or a loop of no rounds nobody might come to it.
      return names.barriers.length > 0 && depth === 0 ? [{ barrier: pick(s, names.barriers) }] : [];
    case 'claim':
      return [{ deadlineAt: time(s, 1, 5_000_000), do: inner(3) }];
    case 'repeat':
      return [{ repeat: int(s, 0, 4), do: inner(3) }];
  }
}

/** `names` for steps that hold a lock already: what they unlock must be what they locked. */
function without(names: Names, held: string): Names {
  const others = (list: readonly string[]): readonly string[] => list.filter((name) => name !== held);
  return { ...names, mutexes: others(names.mutexes), rws: others(names.rws) };
}

function randomSet(s: Stream, names: Names): JsonObject {
  switch (int(s, 0, 6)) {
    case 0:
      return { nice: int(s, -20, 19) };
    case 1:
      return { policy: pick(s, ['fifo', 'rr']), priority: int(s, 1, 99) };
    case 2:
      return { policy: pick(s, ['other', 'batch', 'idle']) };
    case 3:
      return { cpus: [int(s, 0, names.cpus - 1)] };
    case 4:
      return { timerSlack: time(s, 0, 1_000_000) };
    case 5:
      return names.kernel === '6.12' || names.kernel === '7.2' ? { slice: time(s, 100_000, 100_000_000) } : { nice: 5 };
    default: {
      const period = int(s, 100_000, 20_000_000);
      return {
        policy: 'deadline',
        runtime: `${Math.max(1024, Math.floor(period / int(s, 2, 20)))}ns`,
        period: `${period}ns`,
      };
    }
  }
}
