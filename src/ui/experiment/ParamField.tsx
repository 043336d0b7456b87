// A number of the scenario. Times are shown in the unit of their default.

import { NS_PER_MS, NS_PER_S, NS_PER_US } from '../../base/units.ts';
import type { ParamInfo } from '../../scenario/scenario.ts';
import { formatTime, parseTime } from '../../scenario/time_text.ts';
import { useSetting } from '../hooks/use_setting.ts';
import { NumberField } from '../parts/NumberField.tsx';

interface Unit {
  readonly text: string;
  /** As documents spell it. */
  readonly suffix: string;
  readonly ns: number;
}

const PLAIN: Unit = { text: '', suffix: '', ns: 1 };
const TIME_UNITS: readonly Unit[] = [
  { text: 's', suffix: 's', ns: NS_PER_S },
  { text: 'ms', suffix: 'ms', ns: NS_PER_MS },
  { text: 'µs', suffix: 'us', ns: NS_PER_US },
  { text: 'ns', suffix: 'ns', ns: 1 },
];

export function ParamField({ param }: { readonly param: ParamInfo }) {
  const unit = param.unit === 'time' ? unitOf(param.default) : PLAIN;
  const [text, setText] = useSetting(param.id);
  const value = numberIn(text, param);
  return (
    <NumberField
      label={param.label}
      value={value / unit.ns}
      step={param.unit === 'time' ? 'any' : 1}
      unit={saysUnit(param.label, unit) ? undefined : unit.text}
      {...(param.min === undefined ? {} : { min: param.min / unit.ns })}
      {...(param.max === undefined ? {} : { max: param.max / unit.ns })}
      onChange={(next) => setText(param.unit === 'time' ? formatTime(Math.round(next * unit.ns)) : String(next))}
    />
  );
}

/** The label ends with the unit, or there is none to say. */
function saysUnit(label: string, unit: Unit): boolean {
  return unit.text === '' || label.endsWith(`(${unit.text})`) || label.endsWith(`(${unit.suffix})`);
}

/** Largest unit of which the default is a whole number. */
function unitOf(defaultNs: number): Unit {
  return TIME_UNITS.find((unit) => defaultNs >= unit.ns && defaultNs % unit.ns === 0) ?? PLAIN;
}

/** What was set, where it can be read; else what the run says. */
function numberIn(text: string, param: ParamInfo): number {
  if (param.unit === 'integer') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : param.value;
  const time = parseTime(text);
  return time.ok ? time.value : param.value;
}
