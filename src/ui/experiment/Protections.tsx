// The machine's own rescues: real-time throttling (before 6.12) and the fair server (from 6.12 on).

import { NS_PER_MS } from '../../base/units.ts';
import { formatTime, parseTime } from '../../scenario/time_text.ts';
import { useAppState } from '../app_context.ts';
import { useSetting } from '../hooks/use_setting.ts';
import { NumberField } from '../parts/NumberField.tsx';
import { Switch } from '../parts/Switch.tsx';

const MAX_PHASE_MS = 1000;

export function ThrottlingSwitch() {
  const kernel = useAppState((s) => s.scenario?.machine.kernel);
  const running = useAppState((s) => s.scenario?.machine.rtThrottling);
  const base =
    running === undefined || running === false
      ? 'off'
      : running.phaseNs === undefined
        ? 'on'
        : formatTime(running.phaseNs);
  const [value, setValue] = useSetting('throttling', base);
  const old = kernel === undefined || kernel === '6.1' || kernel === '6.6';
  const on = old && value !== 'off';
  return (
    <span className="with-reason">
      <Switch
        label="RT throttling"
        help="Real-time threads together get at most 950 ms of each second"
        checked={on}
        disabledReason={old ? undefined : `kernel ${kernel} has none`}
        onChange={(next) => setValue(next ? 'on' : 'off')}
      />
      {on && <PhaseField value={value} setValue={setValue} />}
    </span>
  );
}

function phaseText(phaseNs: number): string {
  return phaseNs === 0 ? 'on' : formatTime(phaseNs);
}

/** When the period timer first expires; 0 says: with the first real-time thread, the kernel's own rule. */
function PhaseField({ value, setValue }: { readonly value: string; setValue(value: string): void }) {
  const phase = parseTime(value);
  const phaseMs = phase.ok ? phase.value / NS_PER_MS : 0;
  return (
    <span title="When the period timer first expires. 0: it starts with the first real-time thread">
      <NumberField
        label="Phase"
        narrow
        value={phaseMs}
        min={0}
        max={MAX_PHASE_MS}
        step="any"
        unit="ms"
        onChange={(ms) => setValue(phaseText(Math.round(ms * NS_PER_MS)))}
      />
    </span>
  );
}

export function FairServerSwitch() {
  const kernel = useAppState((s) => s.scenario?.machine.kernel);
  const running = useAppState((s) => s.scenario?.machine.fairServer);
  const [value, setValue] = useSetting('fairserver', running === undefined || running === false ? 'off' : 'on');
  const has = kernel === '6.12' || kernel === '7.2';
  return (
    <Switch
      label="Fair server"
      help="Normal threads that starve get 50 ms of each second, before real-time ones"
      checked={has && value !== 'off'}
      disabledReason={has ? undefined : 'needs kernel 6.12'}
      onChange={(next) => setValue(next ? 'on' : 'off')}
    />
  );
}
