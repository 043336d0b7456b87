// The top bar: what is shown, on which machine, and the ways in and out.

import { useState } from 'react';
import { HelpDialog } from '../dialogs/HelpDialog.tsx';
import { SettingsDialog } from '../dialogs/SettingsDialog.tsx';
import { ShareDialog } from '../dialogs/ShareDialog.tsx';
import { FairServerSwitch, ThrottlingSwitch } from '../experiment/Protections.tsx';
import { ROOMY_QUERY, useMedia } from '../hooks/use_media.ts';
import { Icon } from '../parts/Icon.tsx';
import { FileButtons } from './FileButtons.tsx';
import { Logo } from './Logo.tsx';
import { CpusField, KernelChoice } from './MachineFields.tsx';
import { ScenarioChoice } from './ScenarioChoice.tsx';

type Open = 'share' | 'settings' | 'help' | undefined;

export function TopBar({ helpRequests }: { readonly helpRequests: number }) {
  const [open, setOpen] = useState<Open>();
  const [seenRequests, setSeenRequests] = useState(helpRequests);
  if (helpRequests !== seenRequests) {
    setSeenRequests(helpRequests);
    setOpen('help');
  }
  const roomy = useMedia(ROOMY_QUERY);
  const close = () => setOpen(undefined);
  return (
    <header className="top-bar">
      <Logo />
      <ScenarioChoice />
      <KernelChoice />
      <CpusField />
      {roomy && (
        <span className="protections">
          <ThrottlingSwitch />
          <FairServerSwitch />
        </span>
      )}
      <span className="spacer" />
      <FileButtons />
      <button type="button" className="button filled share-button" onClick={() => setOpen('share')}>
        <Icon name="share" />
        <span className="word">Share</span>
      </button>
      <button
        type="button"
        className="button square"
        aria-label="Settings"
        title="Settings"
        onClick={() => setOpen('settings')}
      >
        <Icon name="settings" />
      </button>
      <button
        type="button"
        className="button square help-button"
        aria-label="Help"
        title="Help: keys and words (?)"
        onClick={() => setOpen('help')}
      >
        <Icon name="help" />
      </button>
      {open === 'share' && <ShareDialog onClose={close} />}
      {open === 'settings' && <SettingsDialog onClose={close} onHelp={() => setOpen('help')} />}
      {open === 'help' && <HelpDialog onClose={close} />}
    </header>
  );
}
