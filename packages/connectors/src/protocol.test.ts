import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import type { Driver } from './driver.ts';
import { driverOptions } from './driver-options.ts';
import { loadPlatform } from './load-platform.ts';
import { DefinitionError } from './mapping/definition-error.ts';
import type { Platform } from './platform.ts';
import { type PartsOf, type ProtocolOf, partOf } from './protocol.ts';

/** The smallest possible driver, which only reads. */
type ReadOnlyDriver = Pick<Driver, 'check' | 'pull' | 'read' | 'close'>;

const units = new Map([['KG', { code: 'KG', name: 'Kilogram' }]]);
const openList = (): ReadOnlyDriver => ({
  check: async () => {},
  pull: async () => ({ rows: [...units].map(([key, row]) => ({ key, row })), next: null }),
  read: async (_, key) => units.get(key) ?? null,
  close: async () => {},
});
const options = driverOptions({
  $id: 'https://unified.example/schemas/list-options.schema.json',
  $defs: {
    settings: {
      type: 'object',
      properties: { url: { type: 'string' }, token: { type: 'string', writeOnly: true } },
      required: ['url'],
    },
    platform: { type: 'object', additionalProperties: false, properties: { locale: { type: 'string' } } },
    stream: { type: 'object', additionalProperties: false, properties: { path: { type: 'string' } } },
  },
});
const list: ProtocolOf<ReadOnlyDriver> = {
  parts: { changes: false, writes: false, actions: false, contents: false, discover: false, passthrough: false },
  nativeDeletes: false,
  options,
  open: openList,
};

test('the parts of a protocol are those of its drivers; others do not compile', () => {
  expectTypeOf<PartsOf<ReadOnlyDriver>['writes']>().toEqualTypeOf<false>();
  expectTypeOf<PartsOf<ReadOnlyDriver & Required<Pick<Driver, 'writes'>>>['writes']>().toEqualTypeOf<true>();
  expectTypeOf<PartsOf<Driver>['writes']>().toEqualTypeOf<boolean>();
  // @ts-expect-error its drivers cannot write
  const untrue: ProtocolOf<ReadOnlyDriver>['parts'] = { ...list.parts, writes: true };
  expect(untrue).toBeDefined();
});

test('a missing part is an error', () => {
  expect(() => partOf(openList(), 'writes')).toThrow('The driver has no writes.');
});

describe('a platform of a protocol that only reads', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'read-only-'));
    mkdirSync(join(folder, 'mappings'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const offered = '{ type: object, required: [url], properties: { url: { type: string, format: uri } } }';
  const load = (stream: string, mapping: readonly string[] = [], { settings = offered, options = '' } = {}) => {
    writeFileSync(
      join(folder, 'platform.yaml'),
      `{ id: units, name: Units, driver: list, settings: ${settings}, streams: { unit: ${stream} }${options} }`,
    );
    const lines = ['entity: Unit', 'stream: unit', 'fields: { name: name, code: code, symbol: code }', ...mapping];
    writeFileSync(join(folder, 'mappings', 'unit.yaml'), lines.join('\n'));
    return loadPlatform(folder, { list });
  };
  const problemsOf = (stream: string, rest: { settings?: string; options?: string } = {}) => {
    try {
      load(stream, [], rest);
    } catch (error) {
      if (error instanceof DefinitionError) return error.problems.map(({ field, message }) => `${field}: ${message}`);
      throw error;
    }
    return [];
  };

  test('loads, and is read', async () => {
    const platform = load('{ key: code }');
    const [stream] = platform.streams;
    if (!stream) throw new Error('There is no stream.');
    const { rows } = await list.open(platform, {}).pull({ stream, from: null, limit: 10 });
    expect(rows.map((row) => platform.mappings.Unit?.read(row)?.values.name)).toEqual(['Kilogram']);
  });

  test('has no mappings with writes or actions, and everything else works', () => {
    const { mappings, broken } = load('{ key: code }', ['writes: [create]']);
    expect(mappings).toEqual({});
    expect(broken).toMatchObject([
      { entity: 'Unit', problems: [{ field: 'writes', message: 'the driver "list" cannot write the stream "unit"' }] },
    ]);
  });

  test('has no writes and actions if its options exclude them', () => {
    load('{ key: code }', ['writes: [create]']);
    const parts = { ...list.parts, writes: true } as const;
    const without = ({ locale }: Platform['options']) => (locale === 'de' ? (['writes'] as const) : []);
    const writing = { ...list, parts, without };
    expect(loadPlatform(folder, { list: writing }).broken).toEqual([]);
    const definition = join(folder, 'platform.yaml');
    writeFileSync(definition, readFileSync(definition, 'utf8').replace(/ }$/, ', options: { locale: de } }'));
    expect(loadPlatform(folder, { list: writing }).broken).toMatchObject([
      { entity: 'Unit', problems: [{ field: 'writes', message: 'the driver "list" cannot write the stream "unit"' }] },
    ]);
  });

  test('has no stream that reads changes or deletes', () => {
    expect(problemsOf('{ key: code, cursor: changed, deletes: native }')).toEqual([
      'streams.unit.cursor: the driver "list" does not read changes, only full passes',
      'streams.unit.deletes: the driver "list" does not report deletes; use diff or none',
    ]);
  });

  test('is refused with all options and settings that the driver does not have', () => {
    const settings = '{ type: object, properties: { tokn: { type: string, format: uri } } }';
    expect(
      problemsOf('{ key: code, options: { path: 1, pth: a } }', { settings, options: ', options: { local: de }' }),
    ).toEqual([
      'options: unknown keyword "local" (did you mean "locale"?)',
      'streams.unit.options: unknown keyword "pth" (did you mean "path"?)',
      'streams.unit.options.path: must be string',
      'settings.properties.tokn: the driver "list" has no such setting; did you mean token?',
      'settings.required: the driver "list" needs the setting "url"',
    ]);
  });

  test('is refused if a secret setting is not marked, because responses and the audit log would contain it', () => {
    const settingsWith = (token: string) =>
      `{ type: object, required: [url], properties: { url: { type: string, format: uri }, token: ${token} } }`;
    expect(problemsOf('{ key: code }', { settings: settingsWith('{ type: string }') })).toEqual([
      'settings.properties.token: the setting is secret, and would be shown; add writeOnly: true',
    ]);
    expect(problemsOf('{ key: code }', { settings: settingsWith('{ type: string, writeOnly: true }') })).toEqual([]);
  });

  test('is refused if an address is not marked, because stored secrets could be sent to another one', () => {
    const { settings: described, ...others } = options.schema.$defs;
    const { token, url } = described.properties;
    const properties = { token: token ?? {}, url: { ...url, format: 'uri' } };
    const schema = { ...options.schema, $defs: { ...others, settings: { ...described, properties } } };
    const addressed = { ...list, options: driverOptions(schema) };
    load('{ key: code }');
    expect(loadPlatform(folder, { list: addressed }).id).toBe('units');
    const definition = join(folder, 'platform.yaml');
    const unmarked = readFileSync(definition, 'utf8')
      .replace(', format: uri', '')
      .replace(/ }$/, ', identifiedBy: [url] }');
    writeFileSync(definition, unmarked);
    expect(() => loadPlatform(folder, { list: addressed })).toThrow(
      'settings.properties.url: the setting is an address',
    );
  });

  test('is refused if no setting identifies a system', () => {
    const settings = '{ type: object, required: [url], properties: { url: { type: string } } }';
    expect(problemsOf('{ key: code }', { settings })).toEqual([
      'identifiedBy: is missing, and no setting has `format: uri`; name the settings that identify a system, such as [url]',
    ]);
    expect(problemsOf('{ key: code }', { settings, options: ', identifiedBy: [url]' })).toEqual([]);
  });

  test('is refused if its driver is unknown', () => {
    const openOnly = () => loadPlatform(folder, {});
    load('{ key: code }');
    expect(openOnly).toThrow('driver: there is no driver "list"');
  });
});

test('a mapping with actions needs a protocol with actions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-only-'));
  mkdirSync(join(folder, 'mappings'));
  writeFileSync(
    join(folder, 'platform.yaml'),
    '{ id: jobs, name: Jobs, driver: list, settings: { type: object, required: [url], properties: { url: { type: string, format: uri } } }, streams: { job: { key: id } } }',
  );
  writeFileSync(
    join(folder, 'mappings', 'work-order.yaml'),
    'entity: WorkOrder\nstream: job\nfields: { name: name }\nactions: { accept: { act: accept } }\n',
  );
  const { broken } = loadPlatform(folder, { list });
  rmSync(folder, { recursive: true });
  expect(broken).toMatchObject([
    {
      entity: 'WorkOrder',
      problems: [{ field: 'actions', message: 'the driver "list" has no actions for the stream "job"' }],
    },
  ]);
});
