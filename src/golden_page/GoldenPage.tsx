// Choices, plot and table of one recording.

import { useEffect, useState } from 'react';
import { type Comparison, loadComparison } from './comparison.ts';
import { type GoldenChoice, goldenHash, readGoldenHash } from './golden_hash.ts';
import { MeasureTable } from './MeasureTable.tsx';
import { SPEC } from './measures.ts';
import { PairPlot } from './PairPlot.tsx';
import { CHOICES } from './recordings.ts';
import { usePageTheme } from './use_page_theme.ts';
import './golden_page.css';

interface Shown {
  readonly of: GoldenChoice;
  readonly comparison?: Comparison;
  readonly problem?: string;
}

/** What the link names, or the first that is there. */
function choiceOf(hash: string): GoldenChoice {
  const asked = readGoldenHash(hash);
  const workload = asked.workload in CHOICES ? asked.workload : 'pi-reweight-short';
  const kernels = CHOICES[workload] ?? [];
  const kernel = kernels.includes(asked.kernel) ? asked.kernel : kernels.includes('6.12.117-deb') ? '6.12.117-deb' : '';
  return { workload, kernel };
}

export function GoldenPage() {
  const theme = usePageTheme();
  const [choice, setChoice] = useState(() => choiceOf(location.hash));
  const [shown, setShown] = useState<Shown>();

  useEffect(() => {
    const follow = () => setChoice(choiceOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  useEffect(() => {
    const given = new AbortController();
    document.documentElement.dataset.status = 'running';
    const show = (next: Shown) => {
      if (given.signal.aborted) return;
      setShown(next);
      document.documentElement.dataset.status = next.problem === undefined ? 'done' : 'error';
    };
    loadComparison(choice, given.signal).then(
      (result) => show(result.ok ? { of: choice, comparison: result.value } : { of: choice, problem: result.error }),
      (error: unknown) => show({ of: choice, problem: error instanceof Error ? error.message : String(error) }),
    );
    return () => given.abort();
  }, [choice]);

  const choose = (next: GoldenChoice) => {
    const known = choiceOf(goldenHash(next));
    history.replaceState(null, '', goldenHash(known));
    setChoice(known);
  };
  const current = shown?.of === choice ? shown : undefined;

  return (
    <div className="golden">
      <header className="golden-head">
        <h1>Recorded and simulated</h1>
        <Choice
          label="Workload"
          value={choice.workload}
          options={Object.keys(CHOICES).map((workload) => [workload, workload])}
          onChange={(workload) => choose({ ...choice, workload })}
        />
        <Choice
          label="Kernel"
          value={choice.kernel}
          options={(CHOICES[choice.workload] ?? []).map((kernel) => [kernel, kernelName(kernel)])}
          onChange={(kernel) => choose({ ...choice, kernel })}
        />
        <a href="#/">Back to Spinlane</a>
      </header>
      <main>
        <p className="golden-about">
          Above, what a real kernel did, read from its trace.dat. Below, the simulation of the same program. Both begin
          at the program's first mark. Instants differ from boot to boot by up to a tick (4 ms); shares and lengths are
          what is compared.
        </p>
        {current === undefined && (
          <p role="status" className="golden-wait">
            Reading the recording and simulating beside it … <progress aria-label="Comparison" />
          </p>
        )}
        {current?.problem !== undefined && <p role="alert">{current.problem}</p>}
        {current?.comparison !== undefined && (
          <>
            <PairPlot key={goldenHash(choice)} comparison={current.comparison} theme={theme} />
            <MeasureTable rows={current.comparison.rows} />
          </>
        )}
      </main>
    </div>
  );
}

function kernelName(recordedKernel: string): string {
  const version = recordedKernel.replace(/-deb$/, '');
  return `${SPEC.kernels[recordedKernel]?.kernel ?? ''} (Debian, ${version})`;
}

function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  onChange(value: string): void;
}) {
  return (
    <label className="golden-choice">
      <span>{props.label}</span>
      <span className="select">
        <select value={props.value} onChange={(event) => props.onChange(event.target.value)}>
          {props.options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}
