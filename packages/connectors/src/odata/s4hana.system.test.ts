import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningS4Hana, s4hanaPlatform, startS4Hana } from '../../test/odata/running-s4hana.ts';
import type { Intent, PulledPage, RawRow, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import { type ODataDriver, openOData } from './open-odata.ts';

let system: RunningS4Hana;
let driver: ODataDriver;
const platform: Platform = s4hanaPlatform();

const settings = () => ({ url: system.url, user: system.user, password: system.password, allowPrivateHosts: true });

beforeAll(async () => {
  system = await startS4Hana();
  driver = openOData(platform, settings());
});

afterAll(async () => {
  await driver?.close();
  await system?.stop();
});

afterEach(() => {
  Object.assign(system.behavior, { pageSize: 2, throttled: 0, decimalsAreNumbers: false, lost: 0, isContested: false });
});

function streamOf(name: string): Stream {
  const found = platform.streams.find((each) => each.name === name);
  if (!found) throw new Error(`The platform has no stream ${name}.`);
  return found;
}

const partners = streamOf('A_BusinessPartner');

function intent(writeId: string): Intent {
  return { writeId, position: null, sentAt: '2026-11-20T06:00:00Z' };
}

async function allOf(stream: Stream, pull = driver.pull): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  for (let from: Json | null = null; ; ) {
    const page: PulledPage = await pull({ stream, from, limit: 3 });
    rows.push(...page.rows);
    from = page.next;
    if (from === null) return rows;
  }
}

/** Records of an entity from all rows of its stream, with their problems. */
async function recordsOf(entity: string) {
  const mapping = platform.mappings[entity];
  if (!mapping) throw new Error(`The platform has no ${entity}.`);
  const rows = await allOf(streamOf(mapping.stream));
  const problems: unknown[] = [];
  const records = rows.flatMap((row) => mapping.read(row, problems as never[]) ?? []);
  return { records: records.map(({ values }) => values), problems };
}

/** The values that the mapping of vendors sends. */
function vendorValues(input: Row, op: 'create' | 'update'): Row {
  const mapping = platform.mappings.Vendor;
  if (!mapping) throw new Error('The platform has no Vendor.');
  return mapping.write(input, { op }).values;
}

describe('reading', () => {
  test('follows the pages of the server and returns every partner once', async () => {
    expect((await allOf(partners)).map(({ key }) => key)).toEqual([
      '1000001',
      '1000002',
      '1000003',
      '1000004',
      '1000005',
    ]);
  });

  test.each([
    ['Partner', 5, { code: '1000003', name: 'Trader', roles: ['vendor', 'customer'], isActive: true }],
    [
      'Vendor',
      2,
      {
        code: '1000001',
        name: 'Müller & Söhne',
        legalName: 'Müller & Söhne GmbH',
        isActive: true,
        taxNumber: 'DE811907980',
        email: 'sales@mueller.example',
        phone: '+4973112345',
      },
    ],
    ['Customer', 2, { code: '1000002', name: "O'Neill Ltd", taxNumber: 'IE6388047V' }],
    ['Contact', 1, { name: 'Mira Hahn', firstName: 'Mira', lastName: 'Hahn', dateOfBirth: '1959-09-16' }],
    ['Address', 1, { line1: 'Hafenstr. 12a', city: 'Ulm', postalCode: '89073', email: 'sales@mueller.example' }],
    [
      'BankAccount',
      1,
      { code: '1000001-0001', name: 'Müller & Söhne', iban: 'DE02630500000000000001', bic: 'SOLADES1ULM' },
    ],
  ])('%s', async (entity, count, expected) => {
    const { records, problems } = await recordsOf(entity);
    expect(problems).toEqual([]);
    expect(records).toHaveLength(count);
    expect(records).toContainEqual(expect.objectContaining(expected));
  });

  test('gives roles only to partners that have them', async () => {
    const { records } = await recordsOf('Partner');
    expect(records.map(({ code, roles }) => [code, roles])).toEqual([
      ['1000001', ['vendor']],
      ['1000002', ['customer']],
      ['1000003', ['vendor', 'customer']],
      ['1000004', []],
      ['1000005', []],
    ]);
  });

  test('returns what changed since a mark, with days before 1970 and without a change', async () => {
    const since = await driver.changes.mark(partners);
    const rows = await allOf(partners, (request) => driver.changes.pull({ ...request, since }));
    expect(rows.map(({ key }) => key)).toEqual(['1000002']);
    expect(rows[0]?.row).toMatchObject({ CreationDate: '1969-12-31' });
  });

  test.each([true, false])('returns decimals with all digits (as JSON numbers: %s)', async (decimalsAreNumbers) => {
    system.behavior.decimalsAreNumbers = decimalsAreNumbers;
    const row = await driver.read(
      {
        name: 'A_SupplierPurchasingOrg',
        key: ['Supplier', 'PurchasingOrganization'],
        order: 0,
        deletes: 'none',
        pageSize: 10,
        options: {},
      },
      '1000001/1010',
    );
    expect(row).toMatchObject({
      MinimumOrderAmount: decimalsAreNumbers ? '150.25' : '150.250',
      MaterialPlannedDeliveryDurn: '14',
    });
  });

  test('reports throttling with the time to wait, and refused credentials', async () => {
    system.behavior.throttled = 1;
    await expect(allOf(partners)).rejects.toMatchObject({ kind: 'throttled', retryAfter: 7 });
    const stranger = openOData(platform, { ...settings(), password: 'wrong' });
    await expect(stranger.check()).rejects.toMatchObject({ kind: 'unauthorized' });
    await stranger.close();
    await expect(driver.check()).resolves.toBeUndefined();
  });
});

test('every stream and column of the platform is in the service', async () => {
  for (const stream of platform.streams) {
    const { notes, problems } = await driver.discover.probe(stream, { actions: [], writes: new Set() });
    expect({ stream: stream.name, notes, problems }).toEqual({ stream: stream.name, notes: [], problems: [] });
  }
});

describe('a vendor', () => {
  const read = async (key: string) => {
    const row = await driver.read(partners, key);
    return row && platform.mappings.Vendor?.read({ key, row })?.values;
  };

  test('is created with its role and its part of a supplier', async () => {
    const { key } = await driver.writes.create(
      partners,
      vendorValues({ name: 'Fresh', isActive: false }, 'create'),
      intent('w-1'),
    );
    expect(await read(key)).toMatchObject({ code: key, name: 'Fresh', isActive: false });
  });

  test('is changed, and so is its part of a supplier', async () => {
    await driver.writes.update(
      partners,
      '1000001',
      vendorValues({ name: 'Müller', isActive: false }, 'update'),
      intent('w-2'),
    );
    expect(await read('1000001')).toMatchObject({ name: 'Müller', isActive: false });
    await driver.writes.update(
      partners,
      '1000001',
      vendorValues({ name: 'Müller & Söhne', isActive: true }, 'update'),
      intent('w-3'),
    );
    expect(await read('1000001')).toMatchObject({ name: 'Müller & Söhne', isActive: true });
  });

  test('that another user changes at the same time is a conflict', async () => {
    system.behavior.isContested = true;
    const updating = driver.writes.update(partners, '1000003', vendorValues({ name: 'Lost' }, 'update'), intent('w-4'));
    await expect(updating).rejects.toMatchObject({ kind: 'conflict' });
    expect(await read('1000003')).toMatchObject({ name: 'Trader' });
  });

  test('that the system refuses is a refusal with its message', async () => {
    const updating = driver.writes.update(
      partners,
      '1000003',
      vendorValues({ name: 'x'.repeat(41) }, 'update'),
      intent('w-5'),
    );
    await expect(updating).rejects.toMatchObject({ kind: 'rejected', words: 'Name 1 is too long' });
  });

  test('whose creation lost its response is found, and is there once', async () => {
    system.behavior.lost = 1;
    const values = vendorValues({ name: 'Once' }, 'create');
    await expect(driver.writes.create(partners, values, intent('w-6'))).rejects.toMatchObject({ kind: 'unknown' });
    const found = await driver.writes.findCreated(partners, values, intent('w-6'));
    expect(await read(found?.key ?? '')).toMatchObject({ name: 'Once' });
    expect(await driver.writes.findCreated(partners, values, intent('w-7'))).toBeNull();
  });
});

test('concurrent changes request one CSRF token', async () => {
  const other = openOData(platform, settings());
  const before = system.received.filter((each) => each === 'GET ').length;
  const change = (key: string) => other.writes.update(partners, key, { SearchTerm1: 'X' }, intent(key));
  await Promise.all(['1000002', '1000004', '1000005'].map(change));
  await other.close();
  expect(system.received.filter((each) => each === 'GET ').length - before).toBe(1);
});
