// Random documents that are right: every kernel, lock, step, policy, group, intervention, cost.

import type { Stream } from '../../base/prng.ts';
import type { Json, JsonObject } from '../../scenario/document.ts';
import { FEATURES, KERNELS, TUNABLES } from '../../scenario/kernel_names.ts';
import type { KernelId } from '../../scenario/scenario.ts';
import { chance, int, maybe, pick, time } from './draw.ts';
import { type Names, randomProgram } from './program.ts';

const MS = 1_000_000;

/** The document of a stream. The same stream gives the same document. */
export function randomDocument(s: Stream): JsonObject {
  const kernel = pick(s, KERNELS);
  const cpus = chance(s, 90) ? int(s, 1, 4) : chance(s, 80) ? int(s, 5, 16) : pick(s, [64, 256]);
  const durationNs = int(s, 1, 60) * MS;
  const locks = randomLocks(s);
  const groups = chance(s, 35) ? randomGroups(s) : {};
  const named = (...kinds: string[]): string[] =>
    Object.entries(locks).flatMap(([name, lock]) =>
      kinds.includes((lock as JsonObject)['kind'] as string) ? [name] : [],
    );
  const names: Names = {
    mutexes: named(...MUTEX_KINDS),
    rws: named('rw'),
    sems: named('sem'),
    conds: named('cond'),
    condLock: named(...MUTEX_KINDS)[0],
    barriers: named('barrier'),
    forked: chance(s, 25) ? ['kid'] : [],
    cpus,
    kernel,
    durationNs,
  };
  const threads = Array.from({ length: chance(s, 90) ? int(s, 1, 7) : int(s, 8, 30) }, (_, i) =>
    randomThread(s, `t${i}`, names, Object.keys(groups)),
  );
  const kids = names.forked.map((name) => ({
    name,
    start: 'fork',
    ...maybe(s, 40, () => ({ policy: 'fifo', priority: int(s, 1, 99) })),
    program: randomProgram(s, { ...names, forked: chance(s, 20) ? ['kid'] : [] }),
  }));
  const document = {
    version: 1,
    duration: `${durationNs}ns`,
    seed: int(s, 0, 0xffff_ffff),
    machine: randomMachine(s, kernel, cpus, names),
    ...(Object.keys(groups).length > 0 ? { groups } : {}),
    locks: withParties(s, locks, threads),
    threads: [...threads, ...kids],
    ...maybe(s, 35, () => randomFlips(s, names, threads, groups)),
  };
  return document as unknown as JsonObject;
}

const MUTEX_KINDS = ['futex', 'adaptive', 'pi', 'protect', 'handoff', 'kernel', 'spin'] as const;

function randomLocks(s: Stream): Record<string, JsonObject> {
  const locks: Record<string, JsonObject> = {};
  const count = int(s, 0, 5);
  for (let i = 0; i < count; i++) locks[`m${i}`] = randomMutex(s, pick(s, MUTEX_KINDS));
  if (chance(s, 30)) locks['r'] = { kind: 'rw', prefer: pick(s, ['readers', 'writers']) };
  if (chance(s, 40)) locks['q'] = { kind: 'sem', initial: int(s, 0, 3) };
  if (chance(s, 30)) locks['c'] = { kind: 'cond', requeue: chance(s, 50) };
  if (chance(s, 30)) locks['b'] = { kind: 'barrier', parties: 1 };
  return locks;
}

function randomMutex(s: Stream, kind: (typeof MUTEX_KINDS)[number]): JsonObject {
  const marks = maybe(s, 20, () => ({ marks: true }));
  switch (kind) {
    case 'adaptive':
      return { kind, spins: int(s, 0, 100), ...marks };
    case 'protect':
      return { kind, ceiling: int(s, 1, 99), ...marks };
    case 'spin':
      return {
        kind,
        tries: int(s, 0, 300),
        try: time(s, 0, 1_000),
        oneSpinner: chance(s, 50),
        backoff: randomBackoff(s, 2),
        ...marks,
      };
    default:
      return { kind, ...marks };
  }
}

function randomBackoff(s: Stream, depth: number): JsonObject {
  switch (int(s, 0, depth > 0 ? 4 : 3)) {
    case 0:
      return { kind: 'none', cost: time(s, 10, 10_000) };
    case 1:
      return { kind: 'yield', cost: time(s, 100, 10_000) };
    case 2:
      return { kind: 'sleep', for: time(s, 0, 300_000), cost: time(s, 100, 10_000) };
    case 3:
      return { kind: 'park' };
    default:
      return Object.fromEntries([
        ['kind', 'pause'],
        ['first', time(s, 1, 1_000)],
        ['factor', pick(s, [1, 1.5, 2, 10])],
        ['max', time(s, 1, 100_000)],
        ['steps', int(s, 1, 8)],
        ['then', randomBackoff(s, depth - 1)],
      ]);
  }
}

/** Barriers get as many parties as there are threads that come to them, at most. */
function withParties(s: Stream, locks: Record<string, JsonObject>, threads: readonly { program: Json }[]): JsonObject {
  return Object.fromEntries(
    Object.entries(locks).map(([name, lock]): [string, JsonObject] => {
      if (lock['kind'] !== 'barrier') return [name, lock];
      const users = threads.filter(({ program }) => JSON.stringify(program).includes(`"barrier":"${name}"`)).length;
      return [name, { ...lock, parties: int(s, 1, Math.max(1, users)) }];
    }),
  );
}

function randomGroups(s: Stream): Record<string, JsonObject> {
  const groups: Record<string, JsonObject> = {};
  const count = int(s, 1, 4);
  for (let i = 0; i < count; i++) {
    const quota = int(s, 1, 20);
    groups[`g${i}`] = {
      ...maybe(s, 60, () => ({ weight: pick(s, [1, 10, 100, 1_000, 10_000]) })),
      ...maybe(s, 40, () => ({
        quota: `${quota}ms`,
        period: `${int(s, 1, 30)}ms`,
        ...maybe(s, 30, () => ({ burst: `${int(s, 0, quota)}ms` })),
        ...maybe(s, 30, () => ({ periodPhase: time(s, 0, 30 * MS) })),
      })),
      ...maybe(s, 10, () => ({ idle: true })),
      ...(i > 0 && chance(s, 40) ? { parent: `g${int(s, 0, i - 1)}` } : {}),
    } as JsonObject;
  }
  return groups;
}

function randomThread(s: Stream, name: string, names: Names, groups: readonly string[]) {
  const isDeadline = chance(s, 8);
  const isRt = !isDeadline && chance(s, 30);
  const period = int(s, 1, 30) * MS;
  const cpus = Array.from({ length: Math.min(names.cpus, 64) }, (_, cpu) => cpu).filter(() => chance(s, 60));
  return {
    name,
    ...maybe(s, 5, () => ({ count: int(s, 0, 3) })),
    ...(isDeadline
      ? {
          policy: 'deadline',
          runtime: `${Math.max(1024, Math.floor(period / int(s, 4, 20)))}ns`,
          period: `${period}ns`,
        }
      : isRt
        ? { policy: pick(s, ['fifo', 'rr']), priority: int(s, 1, 99) }
        : {
            ...maybe(s, 50, () => ({ nice: int(s, -20, 19) })),
            ...maybe(s, 20, () => ({ policy: pick(s, ['batch', 'idle']) })),
          }),
    ...(!isDeadline && cpus.length > 0 && chance(s, 40)
      ? { cpus, ...maybe(s, 30, () => ({ startCpu: pick(s, cpus) })) }
      : {}),
    ...maybe(s, 60, () => ({ start: time(s, 0, 10 * MS) })),
    ...maybe(s, 20, () => ({ birth: pick(s, ['settled', 'new', 'woken']) })),
    ...(groups.length > 0 ? maybe(s, 60, () => ({ group: pick(s, groups) })) : {}),
    ...maybe(s, 20, () => ({ session: int(s, 1, 3) })),
    ...maybe(s, 10, () => ({ timerSlack: time(s, 0, MS) })),
    ...maybe(s, 5, () => ({ rttimeLimit: time(s, 1_000, 20 * MS) })),
    ...(names.kernel === '6.12' || names.kernel === '7.2'
      ? maybe(s, 15, () => ({ slice: time(s, 100_000, 20 * MS) }))
      : {}),
    program: randomProgram(s, names),
  };
}

const COSTS = ['contextSwitch', 'wakeup', 'wakeupIpi', 'idleExit', 'tick', 'timerInterrupt', 'syscall', 'migration'];

function randomCosts(s: Stream): Json {
  if (chance(s, 80)) return pick(s, ['ideal', 'server', 'set-top-box', 'recorded']);
  return Object.fromEntries(COSTS.filter(() => chance(s, 50)).map((key) => [key, time(s, 0, 20_000)]));
}

function randomMachine(s: Stream, kernel: KernelId, cpus: number, names: Names): object {
  const has = (table: ReadonlyMap<string, readonly KernelId[]>): string[] =>
    [...table].flatMap(([name, kernels]) => (kernels.includes(kernel) ? [name] : []));
  const runtime = int(s, 1, 20);
  const server = kernel === '6.12' || kernel === '7.2';
  return {
    cpus,
    kernel,
    hz: pick(s, [100, 250, 300, 1000]),
    ...maybe(s, 60, () => ({ costs: randomCosts(s) })),
    ...maybe(s, 20, () => ({ tickPhase: time(s, 0, 5 * MS) })),
    ...maybe(s, 40, () => ({
      rtThrottling: chance(s, 40)
        ? false
        : {
            runtime: `${runtime}ms`,
            period: `${runtime + int(s, 0, 10)}ms`,
            ...maybe(s, 30, () => ({ share: true })),
            ...maybe(s, 30, () => ({ phase: time(s, 0, 20 * MS) })),
          },
    })),
    ...(server
      ? maybe(s, 40, () => ({
          fairServer: chance(s, 40) ? false : { runtime: `${int(s, 1, 5)}ms`, period: `${int(s, 6, 30)}ms` },
        }))
      : {}),
    ...maybe(s, 20, () => ({ piReweight: true })),
    ...maybe(s, 15, () => ({ proxyExecution: true })),
    ...maybe(s, 20, () => ({ autogroup: true })),
    ...maybe(s, 20, () => ({ tunableScaling: 'none' })),
    ...maybe(s, 20, () => ({
      tunables: Object.fromEntries(
        has(TUNABLES)
          .filter((name) => !name.startsWith('sched_deadline') && chance(s, 40))
          .map((name) => [name, time(s, 50_000, 20 * MS)]),
      ),
    })),
    ...maybe(s, 25, () => ({
      features: Object.fromEntries(
        has(FEATURES)
          .filter(() => chance(s, 30))
          .map((name) => [name, chance(s, 50)]),
      ),
    })),
    ...maybe(s, 25, () => ({
      interrupts: Array.from({ length: int(s, 1, 3) }, (_, i) => ({
        cpu: int(s, 0, cpus - 1),
        period: time(s, 100_000, 10 * MS),
        run: time(s, 0, 25_000),
        name: `irq${i}`,
        ...maybe(s, 40, () => ({ softirq: time(s, 0, 400_000) })),
        ...(names.sems.length > 0 ? maybe(s, 40, () => ({ post: pick(s, names.sems) })) : {}),
      })),
    })),
  };
}

/** Toggles that change a running machine, and the instants at which they are flipped. */
function randomFlips(
  s: Stream,
  names: Names,
  threads: readonly { name: string }[],
  groups: Readonly<Record<string, JsonObject>>,
): object {
  const patch: Record<string, Json> = {};
  const kind = pick(s, MUTEX_KINDS);
  if (names.mutexes.length > 0 && chance(s, 60)) patch['locks'] = { [pick(s, names.mutexes)]: randomMutex(s, kind) };
  if (chance(s, 60))
    patch['threads'] = {
      [pick(s, threads).name]: chance(s, 50)
        ? { policy: 'other', nice: int(s, -20, 19) }
        : { policy: 'rr', priority: int(s, 1, 99) },
    };
  if (Object.keys(groups).length > 0 && chance(s, 40))
    patch['groups'] = {
      [pick(s, Object.keys(groups))]: { weight: int(s, 1, 10_000), ...maybe(s, 50, () => ({ quota: '20ms' })) },
    };
  if (chance(s, 20)) patch['machine'] = { piReweight: chance(s, 50), proxyExecution: chance(s, 50) };
  const settings: Json[] = [
    { flip: 'on' },
    { flip: 'off' },
    { throttling: pick(s, ['on', 'off']) },
    { fairserver: pick(s, ['on', 'off']) },
    { costs: pick(s, ['ideal', 'server']) },
    { rt: pick(s, ['on', 'off']) },
    { reweight: pick(s, ['on', 'off']) },
  ];
  return {
    toggles: { flip: { values: { off: {}, on: patch }, default: 'off' } },
    interventions: Array.from({ length: int(s, 1, 4) }, () => ({
      at: time(s, 0, names.durationNs),
      set: pick(s, settings),
    })),
  };
}
