import { openDriver, partOf } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Adventure, startAdventure } from './adventure.ts';

let company: Adventure;
let client: Adventure['client'];

beforeAll(async () => {
  company = await startAdventure();
  client = company.client;
}, 600_000);
afterAll(() => company?.stop());

const only = async <T>(list: Promise<{ data: T[] }>): Promise<T> => {
  const { data } = await list;
  if (data.length !== 1 || data[0] === undefined) throw new Error(`expected one record, found ${data.length}`);
  return data[0];
};
const order = (key: string) => only(client.purchaseOrders.list({ filter: { _idValue: key } }));

/** Whether an instant is within the last few minutes. */
const isNow = (instant: unknown) => Math.abs(Date.now() - Date.parse(String(instant))) < 900_000;

test('every stream of the platform exists, and its actions work', async () => {
  const { platform, url } = company;
  const driver = openDriver(platform, { url });
  for (const stream of platform.streams) {
    const actions = stream.name === 'Purchasing.OrderHeader' ? ['approve'] : [];
    const { sample, problems } = await partOf(driver, 'discover').probe(stream, { actions, writes: new Set() });
    expect(sample).not.toBeNull();
    expect(problems).toEqual([]);
  }
  await driver.close();
});

describe('records', () => {
  test('padded codes are returned without blanks, and references match them regardless of their width', async () => {
    const item = await only(client.inventoryItems.list({ filter: { code: 'CO-7' } }));
    expect(item).toMatchObject({ _idValue: 'CO-7', name: 'Article 7' });
    const vendor = await only(client.vendors.list({ filter: { code: 'S0003' } }));
    expect(vendor).toMatchObject({ isActive: true, currency: { _idValue: 'CAD', _displayValue: 'Canadian dollar' } });
  });

  test('timestamps and dates are interpreted in the time zone of Los Angeles', async () => {
    const found = await order('2/7');
    expect(found).toMatchObject({ orderDate: '2026-07-04', _updatedAt: '2026-07-05T00:30:00.000Z' });
    const level = await only(client.stockLevels.list({ filter: { _idValue: 'CO-7/2/A%2F2' } }));
    expect(level).toMatchObject({ onHand: 21, lastCountedAt: '2026-07-01T15:15:00.000Z' });
  });

  test('references use composite keys, even if a part contains a slash or a percent sign', async () => {
    const line = await only(client.purchaseOrderLines.list({ filter: { _idValue: '1/7/2' } }));
    expect(line).toMatchObject({ purchaseOrder: { _idValue: '1/7' }, item: { _idValue: 'CO-9' } });
    const level = await only(client.stockLevels.list({ filter: { _idValue: 'CO-8/1/50%25' } }));
    expect(level).toMatchObject({ bin: { _idValue: '1/50%25', _displayValue: '50%' } });
  });

  test('a reference by the only key column finds a record whose key contains a slash and a percent sign', async () => {
    await company.sql(`INSERT INTO "Stock"."Item" ("ItemNo", "Name", "UnitCode") VALUES ('A/B%2F', 'Odd', 'EA')`);
    await company.sql(`INSERT INTO "Purchasing"."OrderLine" VALUES (2, 8, 9, 'A/B%2F', 1, 2)`);
    await company.sync('incremental');
    const line = await only(client.purchaseOrderLines.list({ filter: { _idValue: '2/8/9' } }));
    expect(line).toMatchObject({ item: { _idValue: 'A%2FB%252F', _displayValue: 'Odd' } });
  });

  test('the owner of an address has the kind in its row', async () => {
    const kinds = (await client.addresses.list({ per_page: 50 })).data.map(({ owner }) => owner?.rel);
    expect(new Set(kinds)).toEqual(new Set(['Vendor', 'Employee']));
  });
});

describe('an incremental run', () => {
  test('finds rows that were updated with now(), with the correct timestamp', async () => {
    await company.sql(
      `UPDATE "Purchasing"."Supplier" SET "Name" = 'Renamed', "ModifiedDate" = now() WHERE "SupplierID" = 5`,
    );
    await company.sync('incremental');
    const vendor = await only(client.vendors.list({ filter: { _idValue: '5' } }));
    expect(vendor.name).toBe('Renamed');
    expect(isNow(vendor._updatedAt)).toBe(true);
  });

  test('finds a line that was inserted without an update of its order', async () => {
    await company.sql(`INSERT INTO "Purchasing"."OrderLine" VALUES (2, 7, 4, 'CO-30', 6, 12.5)`);
    await company.sync('incremental');
    const { lines } = await order('2/7');
    expect(lines?.map(({ _idValue }) => _idValue)).toEqual(['2/7/1', '2/7/2', '2/7/3', '2/7/4']);
  });
});

describe('writes', () => {
  test('a code that the database generates is not sent, and is read back', async () => {
    const created = await client.vendors.create({ name: 'Rope & Anchor', currency: { _idValue: 'USD' } });
    expect(created).toMatchObject({ code: 'S0013', name: 'Rope & Anchor', currency: { _idValue: 'USD' } });
  });

  test('a reference by a composite key fills its columns', async () => {
    const { id } = await only(client.vendors.list({ filter: { _idValue: '2' } }));
    const agreed = await client.vendors.update(id, { paymentTerm: { _idValue: 'AP/2%25%2F10' } });
    expect(agreed).toMatchObject({ paymentTerm: { _idValue: 'AP/2%25%2F10', _displayValue: '2% in 10 days' } });
    const [row] = await company.sql(
      'SELECT "TermGroup", "TermCode" FROM "Purchasing"."Supplier" WHERE "SupplierID" = 2',
    );
    expect(row).toEqual({ TermGroup: 'AP  ', TermCode: '2%/10' });
  });

  test('a trigger refuses an approval with its own message, and allows another', async () => {
    const { id } = await order('1/15');
    const refused = await client.purchaseOrders.approve(id, {});
    await expect(client.writes.wait(refused.writeId)).rejects.toThrow(/Order 1\/15 of [\d.]+ needs a second buyer/);
    const allowed = await client.purchaseOrders.approve((await order('1/3')).id, {});
    await client.writes.wait(allowed.writeId);
    expect(await order('1/3')).toMatchObject({ statusCategory: 'approved' });
  });
});
