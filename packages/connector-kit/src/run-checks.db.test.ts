import type { Platform } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type BookFile, bookPlatform, createBookFile } from '../test/book-file.ts';
import { runChecks } from './run-checks.ts';
import { type Settings, SystemUnderTest } from './system-under-test.ts';

let file: BookFile;

beforeAll(() => {
  file = createBookFile();
  vi.stubEnv('SQLITE_FOLDER', file.folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  file.remove();
});

/** The outcome of every check, by name. */
async function outcomes(platform: Platform, settings: Settings = file.settings) {
  const system = new SystemUnderTest(platform, settings);
  try {
    const { results } = await runChecks(system);
    return Object.fromEntries(results.map(({ check: { name }, outcome }) => [name, outcome]));
  } finally {
    await system.close();
  }
}

const versioned = () => bookPlatform(() => ({ cursor: 'version' }));

describe('an SQLite file', () => {
  test('passes the checks; those of credentials do not apply', async () => {
    expect(await outcomes(versioned())).toEqual({
      'sign-in': { result: 'passed', seen: expect.any(String) },
      'readable-streams': { result: 'passed', seen: '2 streams, 53 rows' },
      'unique-keys': { result: 'passed', seen: '53 keys' },
      'page-sizes': { result: 'passed', seen: '2 streams in 7 small pages' },
      'single-rows': { result: 'passed', seen: '6 rows of 2 streams' },
      'missing-rows': { result: 'passed', seen: '2 streams' },
      'complete-changes': { result: 'passed', seen: '2 streams with a cursor' },
      'quiet-changes': expect.objectContaining({ result: 'passed', seen: '2 streams with a cursor' }),
      'described-columns': { result: 'passed', seen: '2 streams, 2 of them with their columns' },
      'convertible-values': { result: 'passed', seen: '53 records' },
      'filled-fields': { result: 'passed', seen: '6 of 6 fields have a value' },
      'refused-credentials': { result: 'not_applicable', reason: 'The settings contain no secret.' },
    });
  });

  test('without a cursor, the checks of changes do not apply', async () => {
    const reason = 'No stream with rows has a cursor.';
    expect(await outcomes(bookPlatform())).toMatchObject({
      'complete-changes': { result: 'not_applicable', reason },
      'quiet-changes': { result: 'not_applicable', reason },
    });
  });

  test('a table that does not exist is found by the checks that read it', async () => {
    const found = await outcomes(
      bookPlatform(({ name }) => (name === 'article' ? { options: { table: 'articles' } } : {})),
    );
    expect(found['unique-keys']).toEqual({ result: 'passed', seen: '50 keys' });
    expect(found['readable-streams']).toEqual({
      result: 'failed',
      findings: [{ place: 'article', problem: expect.stringContaining('articles'), remedy: expect.any(String) }],
    });
  });

  test('a file that does not exist fails the first check, and nothing else is tried', async () => {
    const { 'sign-in': first, ...others } = await outcomes(versioned(), { url: `sqlite://${file.folder}/none.sqlite` });
    expect(first).toMatchObject({ result: 'failed', findings: [{ place: 'sql' }] });
    expect(new Set(Object.values(others).map(({ result }) => result))).toEqual(new Set(['not_applicable']));
  });

  test('a key that several rows share is found', async () => {
    const found = await outcomes(bookPlatform(({ name }) => (name === 'supplier' ? { key: ['version'] } : {})));
    expect(found['unique-keys']).toMatchObject({
      result: 'failed',
      findings: [{ place: 'supplier', problem: expect.stringContaining('"1", "2", "3" and 2 more') }],
    });
  });
});
