// The whole run in a strip, with a frame around what is in sight.

import type { TraceStore } from '../../trace/trace_store.ts';
import type { Band, ThemeName } from '../../view/api.ts';

interface OverviewProps {
  readonly theme: ThemeName;
  readonly trace: TraceStore | undefined;
  readonly bands: readonly Band[];
}

export function Overview(_props: OverviewProps) {
  return <div className="overview-plot" />;
}
