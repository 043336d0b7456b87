// Mounts the page that the link asks for; nothing else.

import { isGoldenHash } from './golden_page/golden_hash.ts';
import { mount } from './ui/index.ts';

const element = document.getElementById('root');
const golden = isGoldenHash(location.hash);

// A link from one page to the other begins anew: neither keeps anything of the other.
addEventListener('hashchange', (event) => {
  if (isGoldenHash(location.hash) === golden) return;
  event.stopImmediatePropagation();
  location.reload();
});

if (element !== null) {
  if (golden) void import('./golden_page/index.ts').then(({ mountGolden }) => mountGolden(element));
  else mount(element);
}
