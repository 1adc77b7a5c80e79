import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadPlatform } from '../load-platform.ts';
import { DefinitionError } from '../mapping/definition-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'query-'));
mkdirSync(join(folder, 'mappings'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A platform of one stream with these options, in JSON. */
function load(stream: object, dialect: string | readonly string[] = ['sqlite', 'mysql']) {
  const url = { type: 'string', format: 'uri', writeOnly: true };
  writeFileSync(
    join(folder, 'platform.yaml'),
    JSON.stringify({
      ...{ id: 'book', name: 'Book', driver: 'sql', options: { dialect } },
      settings: { type: 'object', required: ['url'], properties: { url } },
      streams: { unit: { options: stream } },
    }),
  );
  return loadPlatform(folder);
}

function problemsOf(stream: object): string[] {
  try {
    load(stream);
  } catch (error) {
    if (error instanceof DefinitionError)
      return error.problems.map(({ field, message }) => `${field.replace('streams.unit.options.', '')}: ${message}`);
    throw error;
  }
  return [];
}

describe('a query', () => {
  test.each([
    'SELECT 1 AS id',
    "-- one unit\nselect ';' AS id",
    'WITH a AS (SELECT 1 AS id) SELECT id /* ; */ FROM a',
    { sqlite: 'SELECT 1 AS id', mysql: 'SELECT 2 AS id' },
  ])('can be %j', (query) => {
    expect(load({ query }).streams).toHaveLength(1);
  });

  test.each([
    ['DELETE FROM unit', 'query: must be a SELECT'],
    ['SELECT 1; DELETE FROM unit', 'query: must be one SELECT, without a semicolon'],
    ["SELECT 'a'';' ; SELECT 1", 'query: must be one SELECT, without a semicolon'],
    ['SELECT id FROM unit WHERE id = $1', 'query: must have no parameters, such as $1'],
    [{ sqlite: 'SELECT 1' }, 'query: has no text for MySQL; add "mysql"'],
    [{ sqlite: 'SELECT 1', mysql: 'SHOW TABLES' }, 'query.mysql: must be a SELECT'],
    [
      { sqlite: 'SELECT 1', mysql: 'SELECT 1', oracle: 'SELECT 1' },
      'query.oracle: is not a dialect of the platform (mysql, sqlite)',
    ],
  ])('%j is refused', (query, problem) => {
    expect(problemsOf({ query })).toEqual([problem]);
  });

  test('has no table, so options that need one are refused', () => {
    const lines = { table: 'line', parent: { unit: 'id' }, key: ['id'] };
    const options = { table: 'unit', view: 'units', generated: { code: 'default' } };
    const problems = problemsOf({ query: 'SELECT 1 AS id', ...options, children: { lines } });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['table', 'view', 'generated']);
    expect(problems[0]).toContain('rows of a query are only read; remove it');
  });

  test('cannot be written by a mapping, although other streams can', () => {
    const mapping = 'entity: Unit\nstream: unit\nwrites: [create]\nfields: { name: name, code: code, symbol: code }';
    writeFileSync(join(folder, 'mappings', 'unit.yaml'), mapping);
    expect(load({}, 'postgres').broken).toEqual([]);
    expect(load({ query: 'SELECT 1 AS id' }, 'postgres').broken).toMatchObject([
      { entity: 'Unit', problems: [{ message: 'the driver "sql" cannot write the stream "unit"' }] },
    ]);
    rmSync(join(folder, 'mappings', 'unit.yaml'));
  });
});
