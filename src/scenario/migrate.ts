// Brings a document of an older version to the newest, one step per version.

import { assert } from '../base/assert.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { JsonObject, Problem } from './document.ts';
import { own } from './json_value.ts';
import { quoted } from './problems.ts';

/** The version that this code reads and writes. */
export const DOCUMENT_VERSION = 1;
const OLDEST_VERSION = 1;

/** Makes version n + 1 of a document of version n. */
export type Migration = (document: JsonObject) => JsonObject;

/** By the version they start from. Empty while there is one version. */
export const MIGRATIONS: ReadonlyMap<number, Migration> = new Map();

/** Throws when a step from the oldest to the newest version is missing: a bug, found when the module loads. */
export function assertNoGap(migrations: ReadonlyMap<number, Migration>, oldest: number, newest: number): void {
  for (let version = oldest; version < newest; version++)
    assert(migrations.has(version), `documents of version ${version} can be migrated`);
  assert(migrations.size === newest - oldest, 'every migration is between the oldest and the newest version');
}

assertNoGap(MIGRATIONS, OLDEST_VERSION, DOCUMENT_VERSION);

/** The document in the newest version, or why its version can't be read. The result is not yet validated. */
export function migrate(document: JsonObject): Result<JsonObject, Problem> {
  const version = own(document, 'version');
  const newest = `"version": ${DOCUMENT_VERSION}`;
  if (version === undefined)
    return err({ code: 'version', path: 'version', message: 'The document has no version.', hint: `Add ${newest}.` });
  if (typeof version !== 'number' || !Number.isInteger(version) || version < OLDEST_VERSION) {
    return err({
      code: 'version',
      path: 'version',
      message: `version is ${quoted(JSON.stringify(version).slice(0, 40))}.`,
      hint: `Write ${newest}.`,
    });
  }
  if (version > DOCUMENT_VERSION) {
    return err({
      code: 'version-newer',
      path: 'version',
      message: `The document has version ${version}; this page reads versions up to ${DOCUMENT_VERSION}.`,
      hint: 'It was made with a newer page: open it there, or update this one.',
    });
  }
  let migrated = document;
  for (let from = version; from < DOCUMENT_VERSION; from++) migrated = MIGRATIONS.get(from)!(migrated);
  return ok(migrated);
}
