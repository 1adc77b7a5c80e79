import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('migrations', import.meta.url));
const files = globSync('[0-9]*.ts', { cwd: folder }).toSorted();

/**
 * Released migrations that build an index of an existing table in their transaction, while writers of the table wait.
 * `buildIndexes` builds the indexes of the tables of entities concurrently. An index of another existing table must be built
 * concurrently as well.
 */
const FROZEN = ['005', '006', '007', '013', '017', '023', '037', '051', '076', '080', '082'];

const CREATED = /\bcreate (?:unlogged )?table (?:if not exists )?(\S+)/gi;
const INDEXED =
  /\bcreate (?:unique )?index(?: concurrently)?(?: if not exists)?(?:\s+(?!on\s)\S+)?\s+on (?:only )?(\S+)/gi;
/** A constraint with an index that is added to a table. */
const CONSTRAINED =
  /\balter table (?:if exists )?(?:only )?(\S+)[^;]*?\badd\b[^;]*?\b(?:unique|primary key)\b(?! using index)/gi;

const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, table = '']) => table);

/** Tables that the text of a migration does not create, but builds an index of. */
function indexedIn(text: string): string[] {
  const created = new Set(named(text, CREATED));
  return [...named(text, INDEXED), ...named(text, CONSTRAINED)].filter((table) => !created.has(table));
}

test('a written migration builds no index of an existing table', () => {
  const building = files.filter((file) => indexedIn(readFileSync(join(folder, file), 'utf8')).length > 0);
  expect(files.length).toBeGreaterThan(50);
  expect(building.map((file) => basename(file).slice(0, 3))).toEqual(FROZEN);
});

test('every way to build an index is found', () => {
  expect(indexedIn('create table a (id uuid); create index on a (id);')).toEqual([]);
  expect(indexedIn('create index on a (id);')).toEqual(['a']);
  expect(indexedIn('create unique index if not exists named\n  on a (id);')).toEqual(['a']);
  expect(indexedIn('create index concurrently named on only a (id);')).toEqual(['a']);
  expect(indexedIn('alter table a add column b text, add constraint c unique (b);')).toEqual(['a']);
  expect(indexedIn('alter table a add column b text unique;')).toEqual(['a']);
  expect(indexedIn('alter table a add primary key (b);')).toEqual(['a']);
});
