// The machine as it was built: kernel and number of CPUs. Neither can change on the way, so both act from the start.

import { useAppState } from '../app_context.ts';
import { useSetting } from '../hooks/use_setting.ts';
import { NumberField } from '../parts/NumberField.tsx';

const KERNELS = [
  { id: '6.1', about: 'CFS' },
  { id: '6.6', about: 'first EEVDF' },
  { id: '6.12', about: 'EEVDF, fair server' },
  { id: '7.2', about: 'EEVDF, lazy preemption' },
] as const;

export function KernelChoice() {
  const fromRun = useAppState((s) => s.scenario?.machine.kernel);
  const [kernel, setKernel] = useSetting('kernel', fromRun ?? '6.12');
  return (
    <span className="field machine-field kernel-field">
      <span className="caption" aria-hidden="true">
        Kernel
      </span>
      <span className="select">
        <select
          aria-label="Kernel"
          value={kernel}
          title={KERNELS.find((one) => one.id === kernel)?.about}
          onChange={(event) => setKernel(event.target.value)}
        >
          {KERNELS.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </span>
    </span>
  );
}

export function CpusField() {
  const fromRun = useAppState((s) => s.scenario?.machine.cpus);
  const [cpus, setCpus] = useSetting('cpus', String(fromRun ?? 1));
  return (
    <span className="machine-field">
      <NumberField
        label="CPUs"
        narrow
        value={Number(cpus)}
        min={1}
        max={256}
        onChange={(value) => setCpus(String(value))}
      />
    </span>
  );
}
