// What went wrong, where, and what to do: alerts under the top bar. The page below stays usable.

import type { Problem } from '../../scenario/document.ts';
import type { Notice } from '../../store/index.ts';
import { useApp, useAppState } from '../app_context.ts';
import { Icon } from '../parts/Icon.tsx';

const SHOWN_PROBLEMS = 5;

export function Messages() {
  const problems = useAppState((s) => s.problems);
  const notices = useAppState((s) => s.notices);
  const scenarioNotes = useAppState((s) => s.scenario?.notes);
  return (
    <div className="messages">
      {problems.length > 0 && <ProblemAlert problems={problems} />}
      {scenarioNotes !== undefined && scenarioNotes.length > 0 && <ScenarioNotes texts={scenarioNotes} />}
      {notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

/** What the run does not do as it was asked, such as a flip that comes too late. */
function ScenarioNotes({ texts }: { readonly texts: readonly string[] }) {
  return (
    <div className="message note" role="note">
      <Icon name="flag" />
      <p className="message-text">{texts.join(' ')}</p>
    </div>
  );
}

function ProblemAlert({ problems }: { readonly problems: readonly Problem[] }) {
  const { store } = useApp();
  const instead = useAppState((s) => s.instead);
  const more = problems.length - SHOWN_PROBLEMS;
  return (
    <div className="message alert" role="alert">
      <Icon name="stall" />
      <div className="message-text">
        <p>
          <b>
            {problems.length === 1 ? 'The scenario can’t run.' : `The scenario can’t run: ${problems.length} problems.`}
          </b>
          {instead === 'lastRun' && ' You still see the last run that could.'}
          {instead === 'defaultScene' && ' You see the default scene instead.'}
        </p>
        <ProblemList problems={problems.slice(0, SHOWN_PROBLEMS)} />
        {more > 0 && (
          <details>
            <summary>And {more} more</summary>
            <ProblemList problems={problems.slice(SHOWN_PROBLEMS)} />
          </details>
        )}
      </div>
      <DefaultSceneButton />
      <CloseButton onClose={() => store.getState().dismissProblems()} />
    </div>
  );
}

function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <ul>
      {problems.map((problem) => (
        <li key={`${problem.path} ${problem.code} ${problem.message}`}>
          {problem.message} {problem.hint} {problem.path !== '' && <code>({problem.path})</code>}
        </li>
      ))}
    </ul>
  );
}

function NoticeLine({ notice }: { readonly notice: Notice }) {
  const { store } = useApp();
  const alert = notice.tone === 'alert';
  return (
    <div className={alert ? 'message alert' : 'message note'} role={alert ? 'alert' : 'note'}>
      <Icon name={alert ? 'stall' : 'flag'} />
      <p className="message-text">
        <b>{notice.message}</b> {notice.hint}
      </p>
      {alert && <DefaultSceneButton />}
      <CloseButton onClose={() => store.getState().dismissNotice(notice.id)} />
    </div>
  );
}

function DefaultSceneButton() {
  const { commands, library, store } = useApp();
  function open(): void {
    commands.openScenario(library.defaultName);
    store.getState().dismissAlerts();
  }
  return (
    <button type="button" className="button outlined" onClick={open}>
      Open the default scene
    </button>
  );
}

function CloseButton({ onClose }: { onClose(): void }) {
  return (
    <button type="button" className="button square" aria-label="Close message" onClick={onClose}>
      <Icon name="close" />
    </button>
  );
}
