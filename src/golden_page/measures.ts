// golden/measures.json: for the page and for its worker.

import type { MeasureSpec } from '../testing/golden/measure_spec.ts';

const FILES = import.meta.glob<MeasureSpec>('../../golden/measures.json', { import: 'default', eager: true });

export const SPEC = FILES['../../golden/measures.json']!;
