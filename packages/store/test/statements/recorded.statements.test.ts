import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { RecordedStatements } from '../recorded-statements.ts';
import { ACROSS_CONNECTIONS } from './across-connections.ts';
import { unboundTables } from './unbound-tables.ts';

/** A run of all tests issues more; with fewer, something was not recorded. */
const FEWEST = 5_000;

/** Statements that name no connection, as one line each, with their tables. */
const unbound = new Map<string, string[]>();
let count = 0;

beforeAll(async () => {
  const folder =
    process.env.RECORD_STATEMENTS ?? expect.fail('RECORD_STATEMENTS names the folder of a run of all tests.');
  const statements = new Set<string>();
  const tables = new Set<string>();
  for (const name of await readdir(folder)) {
    const recorded: RecordedStatements = JSON.parse(await readFile(join(folder, name), 'utf8'));
    for (const each of recorded.statements) statements.add(each);
    for (const each of recorded.tenantTables) tables.add(each);
  }
  count = statements.size;
  for (const statement of statements) {
    const found = await unboundTables(statement, tables);
    if (found.length > 0) unbound.set(statement.replaceAll(/\s+/g, ' ').trim(), found);
  }
});

it('the tests issued the statements of the service', () => {
  expect(count).toBeGreaterThan(FEWEST);
});

it('every statement on the data of connections names one of them, or is listed with a reason', () => {
  const listed = (statement: string) => ACROSS_CONNECTIONS.some(({ beginning }) => statement.startsWith(beginning));
  expect([...unbound].filter(([statement]) => !listed(statement))).toEqual([]);
});

it('every listed statement was issued', () => {
  const issued = [...unbound.keys()];
  const unused = ACROSS_CONNECTIONS.filter(({ beginning }) => !issued.some((each) => each.startsWith(beginning)));
  expect(unused).toEqual([]);
});
