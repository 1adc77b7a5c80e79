import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadPlatform } from './load-platform.ts';
import { openDriver, platformIds, platformOf } from './platforms.ts';
import { settingsProblems } from './settings.ts';

test('every platform of this package loads', () => {
  expect(platformIds()).toContain('sandbox');
  for (const id of platformIds()) expect(platformOf(id).id).toBe(id);
});

test('a platform is loaded once', () => {
  expect(platformOf('sandbox')).toBe(platformOf('sandbox'));
});

test.each(['nothing', '../sandbox', '__proto__', ''])('there is no platform "%s"', (id) => {
  expect(() => platformOf(id)).toThrow(`There is no platform "${id}"`);
});

describe('settings', () => {
  const sandbox = platformOf('sandbox');

  test('know which of them are secret', () => {
    expect(sandbox.secrets).toEqual(['url']);
  });

  test.each([
    [{ url: 'postgres://user:secret@host/db' }, []],
    [{}, ["must have required property 'url'"]],
    [{ url: 'https://host/db' }, ['url must match pattern "^postgres(ql)?://[^/]+/.+"']],
    [{ url: 'postgres://host/db', colour: 1 }, ['must NOT have additional properties (colour)']],
    [{ url: 'postgres://host/db', sync: { everyMinutes: 5 } }, []],
    [{ url: 'postgres://host/db', sync: { everyMinutes: 0 } }, ['sync.everyMinutes must be >= 1']],
  ])('%o', (settings, problems) => {
    expect(settingsProblems(sandbox, settings)).toEqual(problems);
  });

  test('that cannot be used open nothing, and are not shown', () => {
    expect(() => openDriver(sandbox, { url: 'mysql://secret' })).toThrow(
      /^unauthorized: The settings cannot be used: url must match/,
    );
    expect(() => openDriver(sandbox, { url: 'mysql://secret' })).not.toThrow(/secret/);
  });
});

describe('a folder that cannot be used is refused, naming the file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'platform-'));
    cpSync(fileURLToPath(new URL('../platforms/sandbox', import.meta.url)), folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(folder, file), text.replace(from, to));
  };

  test.each([
    ['platform.yaml', 'driver: sql', 'drivers: sql', /platform\.yaml: .*driver/],
    ['platform.yaml', 'driver: sql', 'driver: [', /platform\.yaml: /],
    [
      'mappings/vendor.yaml',
      'stream: lief',
      'stream: kreditoren',
      /vendor\.yaml: stream: the platform has no stream "kreditoren"/,
    ],
    [
      'mappings/vendor.yaml',
      'entity: Vendor',
      'entity: Supplier',
      /vendor\.yaml: entity: the document knows no Supplier/,
    ],
    ['mappings/vendor.yaml', 'entity: Vendor', 'entity: Unit', /vendor\.yaml|unit\.yaml/],
    ['mappings/vendor.yaml', '  notes: bem', '  colour: bem', /vendor\.yaml: fields\.colour: Vendor has no such field/],
    [
      'mappings/vendor.yaml',
      '  notes: bem',
      '  notes: { boolean: bem }',
      /vendor\.yaml: fields\.notes: the field is text, the word yields boolean/,
    ],
    [
      'mappings/vendor.yaml',
      'entity: Currency, by: code',
      'entity: Country, by: code',
      /fields\.currency: Country is not one of Currency/,
    ],
    ['mappings/work-order.yaml', "'10': open", "'10': opened", /fields\.statusCategory: opened is not one of draft/],
    [
      'mappings/work-order.yaml',
      '  accept:',
      '  approve:',
      /actions\.approve: WorkOrder has no such action; it has assign, accept/,
    ],
    [
      'mappings/work-order.yaml',
      '  accept: { act',
      '  accept: { touches: [Vendor, Unicorn], act',
      /WorkOrder\.actions\.accept\.touches: no mapping of Unicorn/,
    ],
  ])('%s: "%s" as "%s"', (file, from, to, message) => {
    change(file, from, to);
    expect(() => loadPlatform(folder)).toThrow(message);
  });

  test('streams of its own files join those of platform.yaml, and none may come twice', () => {
    mkdirSync(join(folder, 'streams'), { recursive: true });
    writeFileSync(join(folder, 'streams', 'more.yaml'), 'lager: { key: lagernr }\n');
    expect(loadPlatform(folder).streams.find(({ name }) => name === 'lager')).toMatchObject({
      key: ['lagernr'],
      cursor: 'changed_at',
    });
    writeFileSync(join(folder, 'streams', 'more.yaml'), 'lief: { key: liefnr }\n');
    expect(() => loadPlatform(folder)).toThrow(/more\.yaml: there is a stream "lief" already/);
    writeFileSync(join(folder, 'streams', 'more.yaml'), 'lager: { keys: lagernr }\n');
    expect(() => loadPlatform(folder)).toThrow(/more\.yaml: .*must NOT have additional properties/);
  });
});
