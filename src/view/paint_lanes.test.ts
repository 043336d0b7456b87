import { describe, expect, test } from 'vitest';
import { StopReason, WaitReason } from '../trace/reasons.ts';
import { SegFlag, SegKind } from '../trace/segments.ts';
import { type HandLane, type HandRow, handTrace } from './hand_trace.ts';
import { Seen } from './lane_context.ts';
import { paintedLanes } from './lanes_fixture.ts';

const MS = 1_000_000;
const WHOLE = { t0Ns: 0, t1Ns: MS };
const TASKS = [{ name: 'WebProcess' }, { name: 'vqueue:src' }, { name: 'multiqueue0:src' }];

/** One lane over 1 ms; painted at 1000 px, so that 1 µs is 1 px. */
function painted(lane: HandLane, extra: readonly HandLane[] = []) {
  const trace = handTrace({
    endNs: MS,
    cpus: 2,
    tasks: TASKS,
    locks: [{ name: 'heap', kind: 'spin' }],
    lanes: [lane, ...extra],
  });
  return paintedLanes(trace, { viewport: WHOLE });
}

const threadLane = (rows: readonly HandRow[]): HandLane => ({ kind: 'thread', subject: 0, rows });
const cpuLane = (rows: readonly HandRow[]): HandLane => ({ kind: 'cpu', subject: 0, rows });
const between = (row: Omit<HandRow, 'atNs'>): readonly HandRow[] => [
  { atNs: 0, kind: SegKind.absent },
  { atNs: 100_000, ...row },
  { atNs: 300_000, kind: SegKind.absent },
];

describe('states', () => {
  // A lane of 30 px: 3 px air, 4 px top edge, fill 7..23, 1 px gap, bottom edge 24..27.
  test('running is a solid bar over the fill that leaves 1 px to its neighbour', () => {
    const [bar] = painted(threadLane(between({ kind: SegKind.run }))).on(0);
    expect(bar).toEqual({ call: 'bar', ink: 'run', x0: 100, y0: 7, x1: 299, y1: 23 });
  });

  test('on a CPU lane the hue says who', () => {
    const [bar] = painted(cpuLane(between({ kind: SegKind.run, who: 1 }))).on(0);
    expect(bar?.ink).toBe('thread 2');
  });

  test('spinning is hatched inside an edge of full hue', () => {
    const calls = painted(threadLane(between({ kind: SegKind.spin }))).on(0);
    expect(calls.map((c) => [c.ink, c.x0, c.x1, c.y0, c.y1])).toEqual([
      ['spin', 100, 299, 7, 23],
      ['spin hatch', 101, 298, 8, 22],
    ]);
  });

  test('runnable is hollow, 1 px higher and lower than a fill; preempted adds the notch', () => {
    const woken = painted(threadLane(between({ kind: SegKind.runnable, reason: WaitReason.wokenByTimer }))).on(0);
    expect(woken[0]).toMatchObject({ ink: 'wait', y0: 6, y1: 24 });
    expect(woken.at(-1)?.ink).toBe('wait tint');
    expect(woken.some((c) => c.call === 'glyph')).toBe(false);
    const preempted = painted(threadLane(between({ kind: SegKind.runnable, flags: SegFlag.preempted }))).on(0);
    expect(preempted.find((c) => c.call === 'glyph')?.glyph).toBe('notch');
  });

  test('blocked is cross-hatched, throttled is level bars every 4 px', () => {
    const blocked = painted(threadLane(between({ kind: SegKind.blocked }))).on(0);
    expect(blocked.map((c) => c.ink)).toEqual(['block', 'block cross-hatch']);
    const bars = painted(threadLane(between({ kind: SegKind.throttled })))
      .on(0)
      .filter((c) => c.ink === 'throttle' && c.x1 - c.x0 > 100 && c.y1 - c.y0 > 1);
    expect(bars.map((c) => c.y1)).toEqual([23, 19, 15, 11]);
  });

  test('a sleep is a line of 2 px at mid height that touches its neighbours', () => {
    const [line] = painted(threadLane(between({ kind: SegKind.sleep }))).on(0);
    expect(line).toMatchObject({ ink: 'sleep', x0: 100, x1: 300, y0: 14, y1: 16 });
  });

  test('an idle CPU shows dots on the floor of the fill', () => {
    const [dots] = painted(cpuLane(between({ kind: SegKind.idle }))).on(0);
    expect(dots).toMatchObject({ ink: 'idle', y0: 22, y1: 23 });
  });

  test('absent and free stretches show nothing', () => {
    expect(painted(threadLane([{ atNs: 0, kind: SegKind.absent }])).on(0)).toEqual([]);
  });
});

describe('edges', () => {
  test('a real-time thread has a comb above its fill, a deadline thread another', () => {
    const rt = painted(threadLane(between({ kind: SegKind.run, flags: SegFlag.rt }))).on(0);
    expect(rt[1]).toMatchObject({ ink: 'run comb', x0: 100, x1: 300, y0: 3, y1: 6 });
    const dl = painted(threadLane(between({ kind: SegKind.run, flags: SegFlag.dl }))).on(0);
    expect(dl[1]?.ink).toBe('run deadline comb');
  });

  test('an inherited priority replaces the comb by a ribbon, with one chevron where it begins', () => {
    const calls = painted(
      threadLane([
        { atNs: 0, kind: SegKind.run, flags: SegFlag.rt },
        { atNs: 100_000, kind: SegKind.run, flags: SegFlag.rt | SegFlag.boosted },
        { atNs: 200_000, kind: SegKind.runnable, flags: SegFlag.boosted },
        { atNs: 300_000, kind: SegKind.absent },
      ]),
    ).on(0);
    expect(calls.filter((c) => c.ink === 'boost' && c.call === 'rect').map((c) => [c.x0, c.x1])).toEqual([
      [100, 200],
      [200, 300],
    ]);
    expect(calls.filter((c) => c.glyph === 'boost')).toHaveLength(1);
    expect(calls.filter((c) => c.ink === 'run comb').map((c) => c.x1)).toEqual([100]);
  });

  test('the line of a held lock goes on under a runnable stretch, and a padlock stands where it was taken', () => {
    const calls = painted(
      threadLane([
        { atNs: 0, kind: SegKind.run },
        { atNs: 100_000, kind: SegKind.run, flags: SegFlag.holdsLock },
        { atNs: 200_000, kind: SegKind.runnable, flags: SegFlag.holdsLock | SegFlag.preempted },
      ]),
    ).on(0);
    const lines = calls.filter((c) => c.ink === 'lock' && c.call === 'rect');
    expect(lines.map((c) => [c.x0, c.x1, c.y0, c.y1])).toEqual([
      [100, 200, 24, 27],
      [200, 1000, 24, 27],
    ]);
    const padlocks = calls.filter((c) => c.glyph === 'padlock');
    expect(padlocks).toHaveLength(1);
    expect(Math.abs(padlocks[0]!.x0 - 100)).toBeLessThan(10);
  });

  test('two held locks are two thin lines', () => {
    const held = (subject: number): HandLane => ({
      kind: 'lock',
      subject,
      rows: [{ atNs: 0, kind: SegKind.held, who: 0 }],
    });
    const lines = painted(threadLane(between({ kind: SegKind.run, flags: SegFlag.holdsLock })), [held(0), held(1)])
      .on(0)
      .filter((c) => c.ink === 'lock' && c.call === 'rect');
    expect(lines.map((c) => [c.y0, c.y1])).toEqual([
      [24, 25],
      [26, 27],
    ]);
  });
});

describe('dense stretches', () => {
  const bursts = (row: Omit<HandRow, 'atNs'>, rest: Omit<HandRow, 'atNs'>, dutyNs: number): readonly HandRow[] =>
    Array.from({ length: 1000 }, (_, i) => [
      { atNs: i * 1000, ...row },
      { atNs: i * 1000 + dutyNs, ...rest },
    ]).flat();

  test('height is the share of busy time, hatched from the floor the share that was spun away', () => {
    const calls = painted(
      cpuLane(
        Array.from({ length: 1000 }, (_, i) => [
          { atNs: i * 1000, kind: SegKind.spin, who: 2 },
          { atNs: i * 1000 + 250, kind: SegKind.run, who: 2 },
          { atNs: i * 1000 + 500, kind: SegKind.idle },
        ]).flat(),
      ),
    ).on(0);
    const spins = calls.filter((c) => c.ink === 'thread 3 hatch');
    const runs = calls.filter((c) => c.ink === 'thread 3');
    // Fill 16 px: 25 % spin are 4 px from the floor, 50 % busy reach 8 px.
    expect(new Set(spins.map((c) => `${c.y0} ${c.y1}`))).toEqual(new Set(['19 23']));
    expect(new Set(runs.map((c) => `${c.y0} ${c.y1}`))).toEqual(new Set(['15 19']));
    expect(Math.max(...spins.map((c) => c.x1 - c.x0))).toBeLessThanOrEqual(4);
    expect(spins.reduce((sum, c) => sum + c.x1 - c.x0, 0)).toBe(1000);
  });

  test('a duty of 4 % is a low line, not nothing and not a block', () => {
    const calls = painted(cpuLane(bursts({ kind: SegKind.run, who: 0 }, { kind: SegKind.idle }, 40))).on(0);
    const heights = calls.filter((c) => c.ink === 'thread 1').map((c) => c.y1 - c.y0);
    expect(new Set(heights)).toEqual(new Set([1]));
  });

  test('the comb of a dense stretch is one stroke', () => {
    const calls = painted(
      cpuLane(bursts({ kind: SegKind.run, who: 0, flags: SegFlag.rt }, { kind: SegKind.idle }, 500)),
    ).on(0);
    const combs = calls.filter((c) => c.ink === 'thread 1 comb');
    expect(combs.map((c) => [c.x0, c.x1])).toEqual([[0, 1000]]);
  });

  test('a thousand times as many segments paint no more than the width asks for', () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => ({
      atNs: i * 5,
      kind: i % 2 === 0 ? SegKind.run : SegKind.idle,
      who: 0,
    }));
    const { calls } = painted(cpuLane(rows));
    expect(calls.length).toBeLessThan(3 * 1000);
    const busy = calls.filter((c) => c.ink === 'thread 1');
    // Half of the time: 8 of 16 px, whatever the level of detail they were read from.
    expect(new Set(busy.map((c) => c.y1 - c.y0))).toEqual(new Set([8]));
  });

  test('a short spin between two long sleeps is not covered by them', () => {
    const calls = painted(
      threadLane([
        { atNs: 0, kind: SegKind.sleep },
        { atNs: 500_000, kind: SegKind.spin },
        { atNs: 500_400, kind: SegKind.sleep },
      ]),
    ).on(0);
    expect(calls.at(-1)).toMatchObject({ ink: 'spin hatch', x0: 500, x1: 501, y0: 7, y1: 23 });
  });

  test('two threads that take turns share a bin, always the same one below', () => {
    // Stints of 1 µs are 1 px wide: three a bin, so that each bin has two of one and one of the other.
    const rows: HandRow[] = Array.from({ length: 300 }, (_, i) => ({
      atNs: i * 1000,
      kind: SegKind.run,
      who: i % 2,
    }));
    const stacks = painted(cpuLane([...rows, { atNs: 300_000, kind: SegKind.idle }]))
      .on(0)
      .filter((call) => call.call === 'rect' && /^thread [12]$/.test(call.ink));
    const lower = stacks.filter((call) => call.y1 === 23);
    expect(lower.length).toBeGreaterThan(90);
    expect(new Set(lower.map((call) => call.ink))).toEqual(new Set(['thread 1']));
    expect(new Set(stacks.filter((call) => call.y0 === 7).map((call) => call.ink))).toEqual(new Set(['thread 2']));
  });

  test('bins move with the data when the view moves by whole pixels', () => {
    const rows = Array.from({ length: 2000 }, (_, i) => ({
      atNs: i * 700,
      kind: i % 3 === 0 ? SegKind.idle : SegKind.run,
      who: i % 2,
    }));
    const trace = handTrace({ endNs: 2 * MS, cpus: 1, tasks: TASKS, lanes: [cpuLane(rows)] });
    const here = paintedLanes(trace, { viewport: WHOLE });
    const there = paintedLanes(trace, { viewport: { t0Ns: 100_000, t1Ns: MS + 100_000 } });
    const inside = (calls: ReturnType<typeof here.on>, shift: number) =>
      calls
        .filter((c) => c.x0 + shift >= 150 && c.x1 + shift <= 900 && c.ink !== 'idle')
        .map((c) => [c.ink, c.x0 + shift, c.x1 + shift, c.y0]);
    expect(inside(there.on(0), 100)).toEqual(inside(here.on(0), 0));
  });
});

describe('what could go wrong', () => {
  test('a segment without length is not painted', () => {
    const calls = painted(
      threadLane([
        { atNs: 0, kind: SegKind.sleep },
        { atNs: MS, kind: SegKind.run },
      ]),
    ).on(0);
    expect(calls.map((c) => c.ink)).toEqual(['sleep']);
  });

  test('a thousand segments at one instant paint what the last of them left', () => {
    const rows: HandRow[] = [{ atNs: 0, kind: SegKind.sleep }];
    for (let i = 0; i < 1000; i++)
      rows.push({ atNs: 500_000 + i * 1e-4, kind: i % 2 === 0 ? SegKind.run : SegKind.sleep });
    rows.push({ atNs: 500_001, kind: SegKind.sleep });
    const calls = painted(threadLane(rows)).on(0);
    expect(calls.length).toBeLessThan(10);
    expect(calls.some((c) => c.ink === 'run' && c.x0 === 500 && c.x1 === 501)).toBe(true);
  });

  test('one segment of an hour seen through 1 µs fills the view', () => {
    const HOUR = 3_600_000_000_000;
    const trace = handTrace({
      endNs: HOUR,
      cpus: 1,
      tasks: TASKS,
      lanes: [threadLane([{ atNs: 0, kind: SegKind.run }])],
    });
    const { on, labels } = paintedLanes(trace, { viewport: { t0Ns: HOUR / 2, t1Ns: HOUR / 2 + 1000 } });
    const [bar] = on(0);
    expect(bar!.x0).toBeLessThan(0);
    expect(bar!.x1).toBeGreaterThan(1000);
    expect(bar!.x1 - bar!.x0).toBeLessThan(1200);
    expect(labels.items[0]?.forms).toContain('runs');
  });

  test('a view beside the data paints the empty ground and nothing else', () => {
    const trace = handTrace({ endNs: MS, cpus: 1, tasks: TASKS, lanes: [threadLane(between({ kind: SegKind.run }))] });
    for (const t0Ns of [5 * MS, -5 * MS]) {
      const { calls, on } = paintedLanes(trace, { viewport: { t0Ns, t1Ns: t0Ns + MS } });
      expect(on(0)).toEqual([]);
      expect(calls.filter((c) => c.ink === 'lane' && c.x1 > c.x0 && c.x1 > 0 && c.x0 < 1000)).toEqual([]);
    }
  });

  test('a trace without rows and a lane that has none yet are painted empty', () => {
    const trace = handTrace({ endNs: 0, cpus: 1, tasks: TASKS, lanes: [threadLane([])] });
    expect(paintedLanes(trace, { viewport: WHOLE }).on(0)).toEqual([]);
  });

  test('rows outside the surface are not painted', () => {
    const trace = handTrace({ endNs: MS, cpus: 1, tasks: TASKS, lanes: [threadLane(between({ kind: SegKind.run }))] });
    const rows = [{ row: 'lane', laneId: 0, yPx: -500, heightPx: 30 }] as const;
    expect(paintedLanes(trace, { viewport: WHOLE, rows }).calls.filter((c) => c.ink === 'run')).toEqual([]);
  });
});

describe('locks', () => {
  const wait = (task: number, fromUs: number): HandLane => ({
    kind: 'lockWait',
    subject: 0,
    task,
    rows: [
      { atNs: 0, kind: SegKind.absent },
      { atNs: fromUs * 1000, kind: SegKind.spin, who: task },
    ],
  });

  test('above the bar in the holder’s hue stands one hatched line a waiter, in order of arrival', () => {
    const lock: HandLane = { kind: 'lock', subject: 0, rows: [{ atNs: 0, kind: SegKind.held, who: 0 }] };
    const calls = painted(lock, [wait(2, 600), wait(1, 300)]).on(0);
    const bar = calls.find((c) => c.ink === 'thread 1');
    const first = calls.find((c) => c.ink === 'thread 2 fine hatch');
    const second = calls.find((c) => c.ink === 'thread 3 fine hatch');
    expect([first?.x0, second?.x0]).toEqual([300, 600]);
    // vqueue came first and stands directly above the bar.
    expect(first!.y1).toBeLessThanOrEqual(bar!.y0);
    expect(second!.y1).toBeLessThanOrEqual(first!.y0);
  });
});

describe('heads', () => {
  test('the legend lists only what is on screen', () => {
    const trace = handTrace({
      endNs: MS,
      cpus: 1,
      tasks: TASKS,
      lanes: [threadLane(between({ kind: SegKind.blocked, reason: StopReason.lockBlocked }))],
    });
    const rows = [
      { row: 'head', key: 'threads', label: 'Threads', yPx: 0, heightPx: 22 },
      { row: 'lane', laneId: 0, yPx: 22, heightPx: 30 },
    ] as const;
    const { labels, seen } = paintedLanes(trace, { viewport: WHOLE, rows });
    expect(seen).toBe(Seen.blocked);
    const inHead = labels.items.slice(0, labels.count).filter((label) => label.topPx === 0);
    expect(inHead.map((label) => label.forms[0])).toEqual(['waits for a lock']);
  });
});

test('interrupts that are too short to see hang as notches from the lane’s top, ticks are not drawn', () => {
  const trace = handTrace({
    endNs: MS,
    cpus: 2,
    tasks: TASKS,
    irqSources: [{ cpu: 0, name: 'audio', firstNs: 100_000, periodNs: 400_000, runNs: 900 }],
    lanes: [
      cpuLane([{ atNs: 0, kind: SegKind.idle }]),
      { kind: 'cpu', subject: 1, rows: [{ atNs: 0, kind: SegKind.idle }] },
    ],
  });
  const { on } = paintedLanes(trace, { viewport: WHOLE });
  const notches = on(0).filter((c) => c.glyph === 'interrupt');
  expect(notches.map((c) => Math.round((c.x0 + c.x1) / 2))).toEqual([100, 500, 900]);
  expect(notches[0]?.y0).toBe(0);
  expect(on(1).filter((c) => c.glyph !== undefined)).toEqual([]);
  // Seen closely the same interrupt is a bar over the whole lane.
  const close = paintedLanes(trace, { viewport: { t0Ns: 99_000, t1Ns: 103_000 } });
  expect(close.on(0).find((c) => c.ink === 'irq')).toMatchObject({ x0: 250, x1: 475 });
});

test('a hold during which waiters come and go is one bar with one label', () => {
  const lock: HandLane = {
    kind: 'lock',
    subject: 0,
    rows: [
      { atNs: 0, kind: SegKind.free },
      { atNs: 100_000, kind: SegKind.held, who: 0, arg: 0 },
      { atNs: 300_000, kind: SegKind.held, who: 0, arg: 1 },
      { atNs: 301_000, kind: SegKind.held, who: 0, arg: 2 },
      { atNs: 600_000, kind: SegKind.held, who: 1, arg: 1 },
      { atNs: 900_000, kind: SegKind.free },
    ],
  };
  const { on, labels } = painted(lock);
  expect(on(0).map((c) => [c.ink, c.x0, c.x1])).toEqual([
    ['thread 1', 100, 599],
    ['thread 2', 600, 899],
  ]);
  expect(labels.count).toBe(2);
  // Seen from its middle on it still begins outside the view.
  const trace = handTrace({ endNs: MS, cpus: 1, tasks: TASKS, locks: [{ name: 'heap', kind: 'spin' }], lanes: [lock] });
  const [bar] = paintedLanes(trace, { viewport: { t0Ns: 400_000, t1Ns: 500_000 } }).on(0);
  expect(bar!.x0).toBeLessThan(0);
});
