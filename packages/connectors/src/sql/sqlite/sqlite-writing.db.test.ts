import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { describeWrites, head, intent, openWriter, type WrittenDatabase } from '../../../test/sql-writes.ts';
import type { Row } from '../../driver.ts';
import type { Stream } from '../../platform.ts';
import type { SqlDriver } from '../open-sql.ts';
import { failureOf, isUndone } from './sqlite-failure.ts';

const tables = `
  CREATE TABLE Head (no INTEGER PRIMARY KEY, name text NOT NULL, state text NOT NULL DEFAULT 'A', amount numeric, day text, at text,
    rough real, flag boolean, code text UNIQUE, CONSTRAINT "HD-001: a head needs a name" CHECK (name <> 'unnamed'),
    CONSTRAINT head_name_rule CHECK (name <> 'plain'));
  CREATE TABLE line (head int NOT NULL REFERENCES Head ON DELETE CASCADE, pos int NOT NULL, qty int CHECK (qty > 0),
    PRIMARY KEY (head, pos));
  CREATE TABLE pledge (head int NOT NULL REFERENCES Head);
  CREATE TABLE done (id text PRIMARY KEY, what text NOT NULL, which text NOT NULL);
  CREATE TABLE numbered (code text PRIMARY KEY, name text);
  INSERT INTO numbered VALUES ('V-0009', 'Nine'), ('V-x', 'No number'), ('W-0100', 'Another prefix');
  CREATE TRIGGER refuse BEFORE INSERT ON Head WHEN NEW.name = 'blocked' BEGIN SELECT RAISE(ABORT, 'Sorry, blocked is blocked'); END;`;

let folder: string;
let file: string;
let books: DatabaseSync;
let system: WrittenDatabase & { readonly driver: SqlDriver };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'written-'));
  vi.stubEnv('SQLITE_FOLDER', folder);
  file = join(folder, 'books.sqlite');
  books = new DatabaseSync(file);
  books.exec(tables);
  const database = { dialect: 'sqlite', url: `sqlite://${file}` };
  const run = async (statement: string) =>
    books
      .prepare(statement)
      .all()
      .map((row) => ({ ...row }) as Row);
  system = { ...database, run, driver: openWriter(database) };
});
afterAll(async () => {
  await system.driver.close();
  books.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe('writing to SQLite', () => {
  describeWrites(() => system);

  test('a write waits for another process, and is certainly not done if that takes too long', async () => {
    const hasty = openWriter(system, { statementTimeoutMs: 200 });
    books.exec('BEGIN IMMEDIATE');
    const waiting = system.driver.writes.create(head, { name: 'Patient' }, intent());
    const by = intent();
    await expect(hasty.writes.create(head, { name: 'Late' }, by)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await hasty.writes.findCreated(head, { name: 'Late' }, by)).toBeNull();
    books.exec('COMMIT');
    const { key } = await waiting;
    expect(await hasty.read(head, key)).toMatchObject({ name: 'Patient' });
    await hasty.close();
  });

  test('a closed connection refuses statements, and a write that waits for another process ends', async () => {
    const driver = openWriter(system);
    books.exec('BEGIN IMMEDIATE');
    const waiting = driver.writes.create(head, { name: 'Waiting' }, intent());
    const refused = expect(waiting).rejects.toMatchObject({ kind: 'unavailable' });
    await driver.close();
    await refused;
    await expect(driver.read(head, '1')).rejects.toMatchObject({ kind: 'unavailable' });
    books.exec('ROLLBACK');
  });

  test('a commit that fails is certain only if another process or a rule prevented it', () => {
    const [busy, rule, disk, full] = [5, 787, 1034, 13].map((code) => failureOf(code, 'failed'));
    expect([busy, rule, disk, full].map(isUndone)).toEqual([true, true, false, false]);
    expect(disk).toMatchObject({ kind: 'unavailable' });
    expect(full).toMatchObject({ kind: 'unavailable' });
  });

  test('codes continue after the highest number', async () => {
    const numbered: Stream = {
      ...{ name: 'numbered', key: ['code'], order: 0, deletes: 'diff', pageSize: 10 },
      options: { generated: { code: { highest: true, prefix: 'V-', digits: 4 } } },
    };
    const driver = openWriter(system, { streams: [numbered] });
    const names = ['Ten', 'Eleven', 'Twelve'];
    const keys = await Promise.all(names.map((name) => driver.writes.create(numbered, { name }, intent())));
    expect(keys.map(({ key }) => key).sort()).toEqual(['V-0010', 'V-0011', 'V-0012']);
    await driver.close();
  });

  test('a transaction that a killed process has left is undone, and the rows can be read', async () => {
    const { key } = await system.driver.writes.create(head, { name: 'Before' }, intent());
    const left = `
      const { DatabaseSync } = require('node:sqlite');
      const books = new DatabaseSync(process.argv[1]);
      books.exec('PRAGMA cache_size = 1; BEGIN IMMEDIATE');
      books.exec("UPDATE Head SET name = 'Killed' WHERE no = ${key}");
      books.exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO done SELECT 'x' || i, 'x', 'x' FROM n");
      process.kill(process.pid, 'SIGKILL');`;
    expect(spawnSync(process.execPath, ['-e', left, file]).signal).toBe('SIGKILL');
    const driver = openWriter(system);
    expect(await driver.read(head, key)).toMatchObject({ name: 'Before' });
    await driver.close();
  });
});
