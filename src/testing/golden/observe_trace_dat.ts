// A recording, trace.dat, as an observation: read by the project's own reader.

import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { TraceDat } from '../../formats/trace_dat/open_trace_dat.ts';
import { openTraceDat } from '../../formats/trace_dat/open_trace_dat.ts';
import type { RecordedEvent, RecordedRun } from './recorded_run.ts';
import { recordedRun } from './recorded_run.ts';

/** Marks of the recorded programs begin so; others are not theirs. */
const MARK = 'lab: ';

/** `log`: what the program printed, '' where it printed nothing. The error is a sentence: a recording must be whole. */
export function observeTraceDat(bytes: Uint8Array, log: string): Result<RecordedRun, string> {
  const opened = openTraceDat(bytes);
  if (!opened.ok) return err(`${opened.error.place}: ${opened.error.reason} ${opened.error.hint}`);
  const trace = opened.value;
  const missing = trace.problems[0];
  if (missing !== undefined) return err(`${missing.place}: ${missing.reason} ${missing.hint}`);
  const events = readEvents(trace);
  return events.ok ? ok(recordedRun(events.value, trace.cpuCount, log)) : events;
}

function readEvents(trace: TraceDat): Result<RecordedEvent[], string> {
  const number = (event: string, field: string) => {
    const read = trace.number(trace.formatNamed(event), field);
    // Events that this kernel does not have never come.
    return read ?? (() => Number.NaN);
  };
  const idOf = (event: string) => trace.formatNamed(event)?.id;
  const [switchId, wakingId, boostId, markId] = [
    idOf('sched_switch'),
    idOf('sched_waking'),
    idOf('sched_pi_setprio'),
    idOf('print'),
  ];
  const prev = number('sched_switch', 'prev_pid');
  const prevState = number('sched_switch', 'prev_state');
  const next = number('sched_switch', 'next_pid');
  const wakingPid = number('sched_waking', 'pid');
  const boostPid = number('sched_pi_setprio', 'pid');
  const oldPrio = number('sched_pi_setprio', 'oldprio');
  const newPrio = number('sched_pi_setprio', 'newprio');
  const markPid = number('print', 'common_pid');
  const markText = trace.text(trace.formatNamed('print'), 'buf') ?? (() => '');

  const startNs = Number(trace.startNs);
  const events: RecordedEvent[] = [];
  const cursor = trace.events();
  while (cursor.next()) {
    if (cursor.lost !== 0)
      return err(`CPU ${cursor.cpu} lost events at ${cursor.tsNs} ns. Record with larger buffers.`);
    const at = { atNs: startNs + cursor.tsNs, cpu: cursor.cpu };
    switch (cursor.id) {
      case switchId:
        events.push({
          ...at,
          kind: 'switch',
          prev: prev(cursor),
          prevState: prevState(cursor),
          next: next(cursor),
        });
        break;
      case wakingId:
        events.push({ ...at, kind: 'waking', pid: wakingPid(cursor) });
        break;
      case boostId:
        events.push({
          ...at,
          kind: 'boost',
          pid: boostPid(cursor),
          oldPrio: oldPrio(cursor),
          newPrio: newPrio(cursor),
        });
        break;
      case markId: {
        const text = markText(cursor).trimEnd();
        if (text.startsWith(MARK)) {
          events.push({ ...at, kind: 'mark', pid: markPid(cursor), text: text.slice(MARK.length) });
        }
        break;
      }
      default:
        break;
    }
  }
  const damage = cursor.damage()[0];
  return damage === undefined ? ok(events) : err(`CPU ${damage.cpu} has ${damage.pages} damaged pages.`);
}
