// A toggle of the scenario: two values on and off make a switch, anything else a choice.

import type { ToggleInfo } from '../../scenario/scenario.ts';
import { useSetting } from '../hooks/use_setting.ts';
import { RadioGroup } from '../parts/RadioGroup.tsx';
import { Switch } from '../parts/Switch.tsx';

export function ToggleControl({ toggle }: { readonly toggle: ToggleInfo }) {
  const [value, setValue] = useSetting(toggle.id, toggle.value);
  if (isOnOff(toggle.values))
    return (
      <Switch
        label={toggle.label}
        help={toggle.help}
        checked={value === 'on'}
        onChange={(on) => setValue(on ? 'on' : 'off')}
      />
    );
  if (toggle.values.length === 2) return <TwoValues toggle={toggle} value={value} setValue={setValue} />;
  return (
    <RadioGroup
      label={toggle.label}
      value={value}
      options={toggle.values.map((one) => ({ value: one, label: one }))}
      onChange={setValue}
    />
  );
}

interface TwoValuesProps {
  readonly toggle: ToggleInfo;
  readonly value: string;
  setValue(value: string): void;
}

/** Two values by other names than on and off: the switch is on at the one that is not the default. */
function TwoValues({ toggle, value, setValue }: TwoValuesProps) {
  const other = toggle.values.find((one) => one !== toggle.default) ?? toggle.default;
  return (
    <Switch
      label={toggle.label}
      help={`${toggle.help} (${toggle.default} or ${other})`}
      checked={value === other}
      onChange={(on) => setValue(on ? other : toggle.default)}
    />
  );
}

function isOnOff(values: readonly string[]): boolean {
  return values.length === 2 && values.includes('on') && values.includes('off');
}
