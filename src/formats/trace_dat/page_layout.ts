// How the kernel that recorded lays out its pages, from its own text `header_page`.

import { parseFields } from './event_format.ts';

export interface PageLayout {
  /** Where the commit word lies: how many bytes of the page are used, and flags. */
  readonly commitAt: number;
  readonly commitBytes: 4 | 8;
  /** Where the first event lies. */
  readonly dataAt: number;
}

/** `longBytes` serves where the text is missing, as in files of old kernels. */
export function pageLayoutOf(headerPage: string, longBytes: 4 | 8): PageLayout {
  const fields = parseFields(headerPage);
  const commit = fields.find((field) => field.name === 'commit');
  const data = fields.find((field) => field.name === 'data');
  const commitBytes = commit?.bytes === 4 || commit?.bytes === 8 ? commit.bytes : longBytes;
  const commitAt = commit !== undefined && commit.offset <= 64 ? commit.offset : 8;
  const leastDataAt = commitAt + commitBytes;
  const dataAt = data !== undefined && data.offset >= leastDataAt && data.offset <= 128 ? data.offset : leastDataAt;
  return { commitAt, commitBytes, dataAt };
}
