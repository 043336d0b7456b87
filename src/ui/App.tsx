// The page: its regions from top to bottom. Nothing here knows what they show.

import { useCallback, useState } from 'react';
import { TopBar } from './bar/TopBar.tsx';
import { ExperimentBar } from './experiment/ExperimentBar.tsx';
import { useFileDrop } from './hooks/use_file_drop.ts';
import { useMedia, WIDE_QUERY } from './hooks/use_media.ts';
import { useApplyTheme, useThemeName } from './hooks/use_theme.ts';
import { Messages } from './messages/Messages.tsx';
import { Tables } from './tables/Tables.tsx';
import { Timeline } from './timeline/Timeline.tsx';
import { Transport } from './transport/Transport.tsx';
import { Verdict } from './verdict/Verdict.tsx';
import { WhyPanel } from './why/WhyPanel.tsx';
import './styles/base.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/timeline.css';
import './styles/tables.css';
import './styles/why.css';
import './styles/dialogs.css';
import './styles/phone.css';

export function App() {
  const theme = useThemeName();
  useApplyTheme(theme);
  const wide = useMedia(WIDE_QUERY);
  const [whyOpen, setWhyOpen] = useState(false);
  const [helpRequests, setHelpRequests] = useState(0);

  const fileDrop = useFileDrop();
  const showWhy = useCallback(() => {
    setWhyOpen(true);
    document.getElementById('why')?.focus();
  }, []);
  const showHelp = useCallback(() => setHelpRequests((count) => count + 1), []);

  return (
    <div className="app" {...fileDrop}>
      <TopBar helpRequests={helpRequests} />
      <Messages />
      <ExperimentBar />
      <Verdict />
      <main className="body">
        <div className="column">
          <Timeline theme={theme} onWhy={showWhy} onHelp={showHelp} />
          <Transport />
          <Tables />
        </div>
        <WhyPanel sheet={!wide} expanded={wide || whyOpen} onExpand={setWhyOpen} />
      </main>
    </div>
  );
}
