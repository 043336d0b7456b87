// The scenario's switches in the order of its story, then the machine's protections, then where a flip acts.

import { useAppState } from '../app_context.ts';
import { ROOMY_QUERY, useMedia, WIDE_QUERY } from '../hooks/use_media.ts';
import { ApplyChoice } from './ApplyChoice.tsx';
import { BackoffChoice } from './BackoffChoice.tsx';
import { InterventionList } from './InterventionList.tsx';
import { ParamField } from './ParamField.tsx';
import { FairServerSwitch, ThrottlingSwitch } from './Protections.tsx';
import { ToggleControl } from './ToggleControl.tsx';

export function ExperimentBar() {
  const toggles = useAppState((s) => s.scenario?.toggles);
  const params = useAppState((s) => s.scenario?.params);
  const seed = useAppState((s) => s.scenario?.seed);
  const roomy = useMedia(ROOMY_QUERY);
  const wide = useMedia(WIDE_QUERY);
  return (
    <section className="experiment-bar" aria-label="Experiment">
      {toggles?.map((toggle) =>
        toggle.id === 'backoff' ? (
          <BackoffChoice key={toggle.id} toggle={toggle} />
        ) : (
          <ToggleControl key={toggle.id} toggle={toggle} />
        ),
      )}
      {!roomy && (
        <>
          <ThrottlingSwitch />
          <FairServerSwitch />
        </>
      )}
      {params?.map((param) => (
        <ParamField key={param.id} param={param} />
      ))}
      <ApplyChoice />
      {!wide && <InterventionList />}
      <span className="seed">seed {seed ?? '–'}</span>
    </section>
  );
}
