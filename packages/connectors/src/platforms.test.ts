import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressedWrites, entityOf } from '@unified/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadPlatform } from './load-platform.ts';
import { DefinitionError, type DefinitionProblem, problemLine } from './mapping/definition-error.ts';
import { addPlatforms, openDriver, platformIds, platformOf } from './platforms.ts';
import { revisePlatform } from './revise-platform.ts';
import { settingSentence, settingsProblems } from './settings.ts';

/** An example of a large platform, in a folder outside this package. */
const others = fileURLToPath(new URL('../../sandbox/platforms', import.meta.url));

test('the platforms of a folder can be used once it is added', () => {
  expect(platformIds()).not.toContain('sandbox');
  expect(() => platformOf('sandbox')).toThrow('There is no platform "sandbox"');
  addPlatforms(others);
  addPlatforms(others);
  expect(platformIds()).toEqual(expect.arrayContaining(['sandbox', 'tryton']));
  expect(platformOf('sandbox').name).toBe('Sandbox company');
});

test('every platform loads, with all its mappings', () => {
  for (const id of platformIds()) expect(platformOf(id)).toMatchObject({ id, broken: [] });
});

test('a mapping of a connection to a database of your own cannot write', () => {
  const mapping = (parts: Readonly<Record<string, unknown>>) =>
    revisePlatform(
      platformOf('database'),
      [{ name: 'public.suppliers', key: ['id'] }],
      [
        {
          entity: 'Vendor',
          file: 'vendor.yaml',
          change: { stream: 'public.suppliers', fields: { name: 'name' }, parts },
        },
      ],
    );
  expect(mapping({}).broken).toEqual([]);
  const [broken] = mapping({ writes: ['create', 'update', 'delete'] }).broken;
  expect(broken?.problems.map(problemLine).join()).toContain('read-only');
});

test('the platforms in the README load', () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, yaml = '']) => yaml);
  const folder = mkdtempSync(join(tmpdir(), 'platform-'));
  const loaded = examples.map((yaml) => {
    writeFileSync(join(folder, 'platform.yaml'), yaml);
    return loadPlatform(folder);
  });
  rmSync(folder, { recursive: true });
  expect(loaded).toMatchObject(['mysql', 'sqlite'].map((dialect) => ({ options: { dialect, readOnly: true } })));
});

test('the creates of every platform can write each field that the document requires', () => {
  addPlatforms(others);
  for (const { id, mappings } of platformIds().map(platformOf)) {
    for (const [entity, { writes, writable }] of Object.entries(mappings)) {
      const required = writes.has('create') ? entityOf(entity)?.requiredOnCreate : [];
      expect(writable, `${entity} of ${id}`).toEqual(expect.arrayContaining([...(required ?? [])]));
    }
  }
});

test('every write of every platform can be requested: by an operation, or as the reversal of a create', () => {
  addPlatforms(others);
  const dead = platformIds().flatMap((id) =>
    Object.values(platformOf(id).mappings).flatMap(({ entity, writes }) => {
      const requested = new Set<string>(addressedWrites(entity));
      if (writes.has('create')) requested.add('delete');
      return [...writes].filter((write) => !requested.has(write)).map((write) => `${id}: ${entity} ${write}`);
    }),
  );
  expect(dead).toEqual([]);
});

test('a platform is loaded once', () => {
  expect(platformOf('tryton')).toBe(platformOf('tryton'));
});

test.each(['nothing', '../tryton', '__proto__', ''])('there is no platform "%s"', (id) => {
  expect(() => platformOf(id)).toThrow(`There is no platform "${id}"`);
});

describe('settings', () => {
  const sandbox = loadPlatform(join(others, 'sandbox'));

  test('list the secret ones', () => {
    expect(sandbox.secrets).toEqual(['url']);
  });

  const example = 'Send for example postgres://user:password@host:5432/database.';
  test.each([
    [{ url: 'postgres://user:secret@host/db' }, []],
    [{}, [`url (Connection string) is missing. ${example}`]],
    [{ url: 'https://host/db' }, [`url (Connection string) does not have the right form. ${example}`]],
    [{ url: 'postgres://host:port/db' }, [`url (Connection string) does not have the right form. ${example}`]],
    [{ url: 'postgres://host/db', shcema: 'erp' }, ['shcema is not a setting of this platform. Did you mean schema?']],
    [
      { url: 'postgres://host/db', colour: 1 },
      ['colour is not a setting of this platform. Its settings are url, schema, allowPrivateHosts.'],
    ],
  ])('%o', (settings, problems) => {
    expect(settingsProblems(sandbox, settings).map(settingSentence)).toEqual(problems);
  });

  test('are refused without being read if they are too long', () => {
    const long = { url: `postgres://host/${'/'.repeat(30_000)}db`, schema: 'x'.repeat(2_001) };
    expect(settingsProblems(sandbox, long).map(settingSentence)).toEqual([
      'url (Connection string) is longer than 20000 characters.',
      'schema (Schema) is longer than 2000 characters.',
    ]);
  });

  test('are all checked together', () => {
    const given = { url: 'erp.example', timeoutSeconds: 'long', pasword: 'secret' };
    expect(settingsProblems(platformOf('tryton'), given).map(settingSentence)).toEqual([
      'database (Database) is missing. Send for example company.',
      'user (User) is missing. Send for example api.',
      'password (Password) is missing. Password of the user.',
      'pasword is not a setting of this platform. Did you mean password?',
      'url (Address) does not have the right form. Send for example https://erp.example:8000.',
      'timeoutSeconds (Timeout) must be a number. Send for example 30.',
    ]);
  });

  test.each([
    ['', [`url (Database) is empty. Address of it.`]],
    ['  ', [`url (Database) is empty. Address of it.`]],
    ['nonsense', [`url (Database) does not have the right form. ${example}`]],
    ['mysql://host/db', [`url (Database) does not have the right form. ${example}`]],
    ['postgresql://host/db', []],
  ])('of a PostgreSQL platform that does not describe its url: "%s"', (url, problems) => {
    const properties = { url: { type: 'string', title: 'Database', description: 'Address of it.', writeOnly: true } };
    const platform = { ...sandbox, settings: { type: 'object', required: ['url'], properties } };
    expect(settingsProblems(platform, { url }).map(settingSentence)).toEqual(problems);
  });

  test('that another setting requires are missing', () => {
    const url = 'https://erp.example/API_BUSINESS_PARTNER';
    expect(settingsProblems(platformOf('s4hana'), { url, user: 'API' }).map(settingSentence)).toEqual([
      'password (Password) is missing. Password of the user.',
    ]);
  });

  test('that cannot be used do not open a session, and are not shown', () => {
    expect(() => openDriver(sandbox, { url: 'mysql://secret' })).toThrow(
      /^unauthorized: The settings cannot be used: url \(Connection string\) does not have the right form/,
    );
    expect(() => openDriver(sandbox, { url: 'mysql://secret' })).not.toThrow(/secret/);
  });
});

describe('files that cannot be used', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'platform-'));
    cpSync(join(others, 'sandbox'), folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(folder, file), text.replace(from, to));
  };
  /** The errors, one per line, with paths relative to the folder. */
  const linesOf = (problems: readonly DefinitionProblem[]) =>
    problems.map((problem) => problemLine(problem).replace(`${basename(folder)}/`, ''));
  const refused = () => {
    try {
      loadPlatform(folder);
    } catch (error) {
      return error instanceof DefinitionError ? linesOf(error.problems) : error;
    }
    return [];
  };

  test.each([
    [
      'driver: sql',
      'drivers: sql',
      [
        "platform.yaml: must have required property 'driver'",
        'platform.yaml: unknown keyword "drivers" (did you mean "driver"?)',
      ],
    ],
    ['key: landnr', 'keys: landnr', ['platform.yaml: streams.land: unknown keyword "keys" (did you mean "key"?)']],
  ])('platform.yaml with "%s" as "%s" is refused with the word', (from, to, lines) => {
    change('platform.yaml', from, to);
    expect(refused()).toEqual(lines);
  });

  test('a platform needs no streams to be loaded, because its tables may not be known yet', () => {
    rmSync(join(folder, 'streams'), { recursive: true });
    rmSync(join(folder, 'mappings'), { recursive: true });
    const file = join(folder, 'platform.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^streams:[\s\S]*$/m, ''));
    expect(loadPlatform(folder)).toMatchObject({ streams: [], mappings: {}, broken: [] });
  });

  test('all errors in the platform and its streams are reported together', () => {
    change('platform.yaml', 'driver: sql', 'driver: [');
    writeFileSync(join(folder, 'streams', 'more.yaml'), 'lager: { keys: lagernr, pageSize: 0 }\n');
    expect(refused()).toEqual([
      'platform.yaml: invalid YAML in line 8, column 7: missed comma between flow collection entries',
      'streams/more.yaml: lager: unknown keyword "keys" (did you mean "key"?)',
      'streams/more.yaml: lager.pageSize: must be >= 1',
    ]);
    rmSync(join(folder, 'platform.yaml'));
    expect(refused()).toContain('platform.yaml: the file is missing');
  });

  test.each([
    ['vendor', 'stream: lief', 'stream: kreditoren', 'stream: the platform has no stream "kreditoren"'],
    ['site', 'entity: Site', 'entity: Plant', 'entity: the document has no Plant'],
    ['vendor', '  notes: bem', '  colour: bem', /^fields\.colour: Vendor has no such field/],
    [
      'vendor',
      '  notes: bem',
      '  notes: { boolean: bem }',
      'fields.notes: the field is text, the expression yields boolean',
    ],
    [
      'vendor',
      '  notes: bem',
      '  notes: { txt: bem }',
      /^fields\.notes: unknown keyword "txt" \(did you mean "text"\?\)/,
    ],
    ['vendor', '  notes: bem', '  notes: [', /^invalid YAML in line \d+, column/],
    [
      'vendor',
      'entity: Currency, by: code',
      'entity: Country, by: code',
      'fields.currency: Country is not one of Currency',
    ],
    ['work-order', "'10': open", "'10': opened", /^fields\.statusCategory: opened is not one of draft/],
    ['work-order', '  accept:', '  approve:', /^actions\.approve: WorkOrder has no such action; it has assign, accept/],
    [
      'work-order',
      '  accept: { act',
      '  accept: { touches: [Vendor, Unicorn], act',
      'actions.accept.touches: no mapping of Unicorn',
    ],
  ])('%s.yaml with "%s" as "%s" leaves out only this mapping, with the field', (name, from, to, message) => {
    const whole = loadPlatform(folder);
    change(`mappings/${name}.yaml`, from, to);
    const { broken, mappings } = loadPlatform(folder);
    expect(Object.keys(mappings)).toHaveLength(Object.keys(whole.mappings).length - 1);
    const line = expect.stringMatching(message instanceof RegExp ? message : new RegExp(`^${literal(message)}$`));
    const messages = broken.map(({ problems }) =>
      linesOf(problems).map((each) => each.replace(`mappings/${name}.yaml: `, '')),
    );
    expect(messages).toEqual([[line]]);
  });

  test('two mappings of one entity: the first one is used', () => {
    change('mappings/unit.yaml', 'entity: Unit', 'entity: Site');
    const { broken, mappings } = loadPlatform(folder);
    expect(mappings.Site).toBeDefined();
    expect(broken).toMatchObject([{ entity: 'Site', stream: 'einheit' }]);
  });

  test('all errors in a mapping are reported together, with its entity and stream', () => {
    change('mappings/vendor.yaml', '  notes: bem', '  colour: bem\n  size: bem\n  isActive2: bem');
    const [vendor] = loadPlatform(folder).broken;
    expect(vendor).toMatchObject({ entity: 'Vendor', stream: 'lief' });
    expect(vendor?.problems.map(({ field }) => field)).toEqual(['fields.colour', 'fields.size', 'fields.isActive2']);
    change('mappings/work-order.yaml', 'entity: WorkOrder', 'entity: [');
    expect(loadPlatform(folder).broken).toMatchObject([{ entity: 'Vendor' }, { entity: 'WorkOrder', stream: null }]);
  });

  test('errors of every kind and of all mapping files are reported together', () => {
    change('mappings/vendor.yaml', 'stream: lief', 'stream: kreditoren');
    change('mappings/vendor.yaml', '  notes: bem', '  notes: { txt: bem }\n  colour: bem\n  isActive2: { ref: 1 }');
    change('mappings/vendor.yaml', 'entity: Vendor', 'entity: Vendor\ndisplay: a..b');
    change('mappings/work-order.yaml', '  accept:', '  approve:');
    const found = loadPlatform(folder).broken.map(({ problems }) => problems.map(({ field }) => field));
    expect(found).toEqual([
      expect.arrayContaining(['fields.notes', 'fields.colour', 'display', 'stream']),
      ['actions.approve'],
    ]);
  });

  test.each([
    ['a word that is unknown', 'key: landnr', 'keys: landnr', /did you mean "key"/],
    ['invalid YAML', 'driver: sql', 'driver: [', /invalid YAML/],
    ['a driver that does not exist', 'driver: sql', 'driver: sq', /there is no driver "sq"/],
    ['an option that is unknown', 'statementTimeoutMs', 'statementTimeout', /statementTimeout/],
  ])('errors in platform.yaml, such as %s, do not hide those of the mappings', (_, from, to, message) => {
    change('platform.yaml', from, to);
    change('mappings/vendor.yaml', '  notes: bem', '  colour: bem');
    change('mappings/work-order.yaml', '  accept:', '  approve:');
    expect(refused()).toEqual([
      expect.stringMatching(message),
      expect.stringMatching(/^mappings\/vendor.yaml: fields.colour: /),
      expect.stringMatching(/^mappings\/work-order.yaml: actions.approve: /),
    ]);
  });

  test('a write without an operation in the API is refused, with the existing ones', () => {
    const text = readFileSync(join(folder, 'mappings/fiscal-period.yaml'), 'utf8').replace(/^writes: .*\n/m, '');
    writeFileSync(join(folder, 'mappings/fiscal-period.yaml'), text.replace(/^fields:/m, 'writes: [delete]\nfields:'));
    const [reading] = loadPlatform(folder).broken;
    expect(reading?.problems).toMatchObject([
      { field: 'writes', message: expect.stringMatching(/^FiscalPeriod has no delete operation; it has /) },
    ]);
  });

  test('streams in separate files are added to those of platform.yaml, and names must be unique', () => {
    writeFileSync(join(folder, 'streams', 'more.yaml'), 'lager: { key: lagernr }\n');
    expect(loadPlatform(folder).streams.find(({ name }) => name === 'lager')).toMatchObject({
      key: ['lagernr'],
      cursor: 'changed_at',
    });
    writeFileSync(join(folder, 'streams', 'more.yaml'), 'lief: { key: liefnr }\n');
    expect(refused()).toEqual(['streams/more.yaml: lief: there is already a stream "lief"']);
  });
});

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
