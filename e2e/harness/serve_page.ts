// Before the first browser test: builds the page if its sources are newer and serves it. After the last: stops.

import { DIST_DIR, ensurePageBuilt } from '../../scripts/lib/build_page.mjs';
import { serveFolder } from '../../scripts/lib/serve.mjs';

/** Variable that holds the address of the served page; workers inherit it. */
export const PAGE_URL_VARIABLE = 'SPINLANE_PAGE_URL';

export default async function servePage(): Promise<() => Promise<void>> {
  if (!(await ensurePageBuilt())) throw new Error('The page does not build; see above.');
  const server = await serveFolder(DIST_DIR);
  process.env[PAGE_URL_VARIABLE] = server.url;
  return () => server.close();
}
