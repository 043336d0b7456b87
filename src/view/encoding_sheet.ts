// The encoding sheet: a made-up trace that holds every state, edge and overlay once, wide, medium and narrow.
// Drawn by the real view it is the reference that documents and picture tests look at.

import { NS_PER_US, type Ns } from '../base/units.ts';
import { PickReason, SpinReason, StopReason, WaitReason } from '../trace/reasons.ts';
import { SegFlag, SegKind } from '../trace/segments.ts';
import type { TraceStore } from '../trace/trace_store.ts';
import type { Band, Flag, Row, TimelineState } from './api.ts';
import { type HandLane, type HandRow, handTrace } from './hand_trace.ts';
import { HEAD_HEIGHT } from './layout.ts';

/** A sheet: what to show, and what each row is called (the view itself has no gutter). */
export interface EncodingSheet {
  readonly trace: TraceStore;
  readonly state: Pick<
    TimelineState,
    'rows' | 'viewport' | 'playheadNs' | 'selection' | 'hover' | 'markers' | 'bands' | 'flags'
  >;
  readonly heightPx: number;
  /** By row: what it shows, and the form it has. */
  readonly captions: readonly { readonly title: string; readonly form: string }[];
}

const END_US = 1_000;

interface SheetRow {
  readonly title: string;
  readonly form: string;
  readonly heightPx?: number;
  readonly lane?: HandLane;
  /** Wait lanes of a lock row: they have no row of their own. */
  readonly waits?: readonly HandLane[];
}

const us = (value: number): Ns => Math.round(value * NS_PER_US);

/** The state over [30, 610), [630, 770) and [790, 806) µs: wide, medium, narrow. */
function thrice(row: Omit<HandRow, 'atNs'>, between: SegKind = SegKind.absent): readonly HandRow[] {
  const rest: Omit<HandRow, 'atNs'> = { kind: between, who: -1 };
  return [
    { atNs: 0, ...rest },
    { atNs: us(30), ...row },
    { atNs: us(610), ...rest },
    { atNs: us(630), ...row },
    { atNs: us(770), ...rest },
    { atNs: us(790), ...row },
    { atNs: us(806), ...rest },
  ];
}

const TASKS = ['WebProcess', 'vqueue:src', 'multiqueue0:src', 'aqueue:src', 'multiqueue1:src', 'low', 'high'];
const [WEB, VQUEUE, MULTI0, AQUEUE, MULTI1, LOW] = [0, 1, 2, 3, 4, 5] as const;
const [HEAP, M] = [0, 1] as const;

const thread = (rows: readonly HandRow[], subject: number = WEB): HandLane => ({ kind: 'thread', subject, rows });
const cpu = (rows: readonly HandRow[], subject = 1): HandLane => ({ kind: 'cpu', subject, rows });

function stateRows(): readonly SheetRow[] {
  return [
    { title: 'Fill: what it does', form: '' },
    { title: 'running', form: 'solid', lane: thread(thrice({ kind: SegKind.run, who: 1 })) },
    {
      title: 'spinning',
      form: 'diagonal hatch',
      lane: thread(thrice({ kind: SegKind.spin, who: 1, reason: SpinReason.contended, arg: HEAP })),
    },
    {
      title: 'runnable, woken',
      form: 'hollow',
      lane: thread(thrice({ kind: SegKind.runnable, who: 1, reason: WaitReason.wokenByTimer })),
    },
    {
      title: 'runnable, preempted',
      form: 'hollow, notch',
      lane: thread(
        thrice({
          kind: SegKind.runnable,
          who: 1,
          flags: SegFlag.preempted,
          reason: WaitReason.preemptedByClass,
          arg: VQUEUE,
        }),
      ),
    },
    {
      title: 'blocked on a lock',
      form: 'cross-hatch',
      lane: thread(thrice({ kind: SegKind.blocked, reason: StopReason.lockBlocked, arg: M, arg2: LOW })),
    },
    {
      title: 'throttled',
      form: 'level bars',
      lane: thread(thrice({ kind: SegKind.throttled, reason: StopReason.rtThrottled })),
    },
    {
      title: 'sleeping',
      form: 'mid line',
      lane: thread(thrice({ kind: SegKind.sleep, reason: StopReason.sleepStep })),
    },
    { title: 'idle (CPU)', form: 'dotted floor', lane: cpu(thrice({ kind: SegKind.idle, reason: PickReason.idle })) },
    { title: 'unknown', form: 'dashed box', lane: thread(thrice({ kind: SegKind.unknown, arg: 3 })) },
    {
      title: 'interrupt',
      form: 'notch / full bar',
      lane: cpu(
        [
          { atNs: 0, kind: SegKind.absent },
          { atNs: us(30), kind: SegKind.run, who: VQUEUE },
          { atNs: us(340), kind: SegKind.irq },
          { atNs: us(390), kind: SegKind.run, who: VQUEUE },
          { atNs: us(770), kind: SegKind.absent },
        ],
        0,
      ),
    },
  ];
}

function edgeRows(): readonly SheetRow[] {
  const rt = SegFlag.rt;
  return [
    { title: 'Hue: who (CPU lanes)', form: '' },
    {
      title: 'CPU 1',
      form: 'thread\u2019s colour',
      lane: cpu([
        { atNs: 0, kind: SegKind.idle, reason: PickReason.idle },
        { atNs: us(30), kind: SegKind.run, who: WEB },
        { atNs: us(260), kind: SegKind.spin, who: VQUEUE, flags: rt, reason: SpinReason.contended, arg: HEAP },
        { atNs: us(540), kind: SegKind.run, who: MULTI0, flags: rt },
        { atNs: us(806), kind: SegKind.idle, reason: PickReason.idle },
      ]),
    },
    { title: 'Top edge: priority \u00b7 bottom edge: lock', form: '' },
    { title: 'real-time', form: 'comb, top', lane: thread(thrice({ kind: SegKind.run, who: 1, flags: rt, prio: 49 })) },
    {
      title: 'deadline',
      form: 'comb 4 on 1 off',
      lane: thread(thrice({ kind: SegKind.run, who: 1, flags: SegFlag.dl, prio: -1 })),
    },
    {
      title: 'boosted',
      form: 'ribbon, top',
      lane: thread([
        { atNs: 0, kind: SegKind.absent },
        { atNs: us(30), kind: SegKind.run, who: 1, prio: 130 },
        { atNs: us(340), kind: SegKind.run, who: 1, prio: 120, flags: SegFlag.boosted },
        { atNs: us(806), kind: SegKind.absent },
      ]),
    },
    {
      title: 'holds a lock',
      form: 'line, bottom',
      lane: thread([
        { atNs: 0, kind: SegKind.absent },
        { atNs: us(30), kind: SegKind.run, who: 1 },
        { atNs: us(340), kind: SegKind.run, who: 1, flags: SegFlag.holdsLock },
        {
          atNs: us(560),
          kind: SegKind.runnable,
          who: 1,
          flags: SegFlag.holdsLock | SegFlag.preempted,
          reason: WaitReason.preemptedByClass,
          arg: VQUEUE,
        },
        { atNs: us(806), kind: SegKind.absent },
      ]),
    },
    { title: 'heap', form: 'holder, waiters', heightPx: 46, ...lockRow() },
    { title: 'dense, CPU', form: 'height = busy', lane: cpu(denseRows()) },
    { title: 'dense, thread', form: 'height = busy', lane: thread(denseThreadRows()) },
  ];
}

function lockRow(): Pick<SheetRow, 'lane' | 'waits'> {
  const wait = (task: number, fromUs: number, toUs: number): HandLane => ({
    kind: 'lockWait',
    subject: HEAP,
    task,
    rows: [
      { atNs: 0, kind: SegKind.absent },
      { atNs: us(fromUs), kind: SegKind.spin, who: task },
      { atNs: us(toUs), kind: SegKind.absent },
    ],
  });
  return {
    lane: {
      kind: 'lock',
      subject: HEAP,
      rows: [
        { atNs: 0, kind: SegKind.free },
        { atNs: us(60), kind: SegKind.held, who: WEB },
        { atNs: us(620), kind: SegKind.held, who: VQUEUE },
        { atNs: us(700), kind: SegKind.held, who: MULTI0 },
        { atNs: us(806), kind: SegKind.free },
      ],
    },
    waits: [wait(VQUEUE, 120, 620), wait(MULTI0, 220, 700), wait(AQUEUE, 330, 806), wait(MULTI1, 430, 806)],
  };
}

/** Bursts of 0.4 to 2 µs whose duty rises and falls, first of running, then of spinning threads. */
function denseRows(): readonly HandRow[] {
  const rows: HandRow[] = [{ atNs: 0, kind: SegKind.idle }];
  const order = [WEB, VQUEUE, MULTI0, AQUEUE, MULTI1, VQUEUE, MULTI0];
  for (let i = 0; i < 388; i++) {
    const atUs = 30 + i * 2;
    const who = order[Math.floor(i / 56)] ?? WEB;
    const duty = 0.35 + 0.6 * Math.abs(((i % 112) - 56) / 56) * (0.8 + 0.2 * (((i * 7) % 10) / 10));
    const spins = i > 200 && i < 330;
    rows.push({ atNs: us(atUs), kind: SegKind.run, who, flags: i > 56 ? SegFlag.rt : 0, prio: i > 56 ? 49 : 120 });
    if (spins) rows.push({ atNs: us(atUs + duty * 0.8), kind: SegKind.spin, who, flags: SegFlag.rt, prio: 49 });
    rows.push({ atNs: us(atUs + duty * 2), kind: SegKind.idle });
  }
  rows.push({ atNs: us(806), kind: SegKind.idle });
  return rows;
}

function denseThreadRows(): readonly HandRow[] {
  const rows: HandRow[] = [{ atNs: 0, kind: SegKind.sleep, reason: StopReason.sleepStep }];
  for (let i = 0; i < 258; i++) {
    const atUs = 30 + i * 3;
    const waits = 0.3 + (0.9 * i) / 258;
    rows.push({ atNs: us(atUs), kind: SegKind.runnable, who: 1, reason: WaitReason.wokenByTimer });
    rows.push({ atNs: us(atUs + waits), kind: SegKind.run, who: 1 });
    if (i > 130) rows.push({ atNs: us(atUs + waits + 0.6), kind: SegKind.spin, who: 1, reason: SpinReason.contended });
    rows.push({ atNs: us(atUs + waits + 1.3), kind: SegKind.sleep, reason: StopReason.sleepStep });
  }
  rows.push({ atNs: us(806), kind: SegKind.absent });
  return rows;
}

const LANE_PX = 30;

/** The sheet in its one fixed form. */
export function encodingSheet(): EncodingSheet {
  const sheetRows = [...stateRows(), ...edgeRows()];
  const lanes: HandLane[] = [];
  const rows: Row[] = [];
  let yPx = 0;
  for (const [i, sheetRow] of sheetRows.entries()) {
    const heightPx = sheetRow.lane === undefined ? HEAD_HEIGHT : (sheetRow.heightPx ?? LANE_PX);
    if (sheetRow.lane === undefined) {
      rows.push({ row: 'head', key: i === 0 ? 'threads' : `head ${i}`, label: sheetRow.title, yPx, heightPx });
    } else {
      rows.push({ row: 'lane', laneId: lanes.length, yPx, heightPx });
      lanes.push(sheetRow.lane);
    }
    yPx += heightPx;
  }
  for (const sheetRow of sheetRows) lanes.push(...(sheetRow.waits ?? []));
  const trace = handTrace({
    endNs: us(END_US),
    cpus: 2,
    tasks: TASKS.map((name) => ({ name })),
    locks: [
      { name: 'heap', kind: 'spin' },
      { name: 'm', kind: 'pi' },
    ],
    irqSources: [{ cpu: 0, name: 'timer', firstNs: us(200), periodNs: us(130), runNs: us(1) }],
    lanes,
  });
  const bands: readonly Band[] = [
    { tone: 'danger', fromNs: us(820), toNs: us(END_US), forever: true, text: 'Hang, for ever (proved)', laneIds: [] },
  ];
  const flags: readonly Flag[] = [];
  return {
    trace,
    state: {
      rows,
      viewport: { t0Ns: 0, t1Ns: us(END_US) },
      playheadNs: us(560),
      selection: undefined,
      hover: undefined,
      markers: { aNs: us(22), bNs: us(925) },
      bands,
      flags,
    },
    heightPx: yPx,
    captions: sheetRows.map(({ title, form }) => ({ title, form })),
  };
}
