// The door to view/: what pages may use. Pure helpers may also be imported from their own files.

export type * from './api.ts';
export { encodingSheet } from './encoding_sheet.ts';
export type { Overview, OverviewState } from './overview_api.ts';
export { createOverview } from './paint_overview.ts';
export { createTimelineView } from './timeline_view.ts';
export { cssVariables } from './tokens.ts';
