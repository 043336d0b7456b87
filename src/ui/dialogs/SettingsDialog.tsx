// How the page looks and handles. Kept in the browser, not in the link.

import type { LaneSize, ThemeChoice } from '../../store/index.ts';
import type { Habits } from '../../view/api.ts';
import { useApp, useAppState } from '../app_context.ts';
import { FileButtons } from '../bar/FileButtons.tsx';
import { CpusField, KernelChoice } from '../bar/MachineFields.tsx';
import { PHONE_QUERY, useMedia } from '../hooks/use_media.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { RadioGroup } from '../parts/RadioGroup.tsx';
import { SpeedSlider } from '../transport/SpeedSlider.tsx';

const THEMES: readonly { readonly value: ThemeChoice; readonly label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'projector', label: 'Projector' },
  { value: 'contrast', label: 'High contrast' },
];
const LANES: readonly { readonly value: LaneSize; readonly label: string }[] = [
  { value: 'auto', label: 'As fits' },
  { value: 'compact', label: 'Compact' },
  { value: 'normal', label: 'Normal' },
  { value: 'tall', label: 'Tall' },
];
const HABITS: readonly { readonly value: Habits; readonly label: string; readonly what: string }[] = [
  { value: 'perfetto', label: 'Perfetto', what: 'Drag selects and measures, Shift+drag pans.' },
  { value: 'kernelshark', label: 'KernelShark', what: 'Drag zooms to what it spans, Shift+drag pans.' },
  { value: 'browser', label: 'Chrome, Firefox', what: 'Drag pans, Shift+drag measures.' },
];

export function SettingsDialog({ onClose, onHelp }: { onClose(): void; onHelp(): void }) {
  const { setPreferences } = useApp().store.getState();
  const theme = useAppState((s) => s.theme);
  const laneSize = useAppState((s) => s.laneSize);
  const habits = useAppState((s) => s.habits);
  const phone = useMedia(PHONE_QUERY);
  return (
    <Dialog title="Settings" onClose={onClose}>
      {phone && (
        <div className="dialog-row">
          <KernelChoice />
          <CpusField />
          <SpeedSlider />
          <FileButtons />
          <button type="button" className="button outlined" onClick={onHelp}>
            Help
          </button>
        </div>
      )}
      <RadioGroup label="Theme" value={theme} options={THEMES} onChange={(value) => setPreferences({ theme: value })} />
      <RadioGroup
        label="Lanes"
        value={laneSize}
        options={LANES}
        onChange={(value) => setPreferences({ laneSize: value })}
      />
      <RadioGroup
        label="Habits"
        value={habits}
        options={HABITS}
        onChange={(value) => setPreferences({ habits: value })}
      />
      <p className="reason">{HABITS.find((one) => one.value === habits)?.what}</p>
    </Dialog>
  );
}
