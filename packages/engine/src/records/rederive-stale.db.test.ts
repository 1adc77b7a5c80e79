import { entities } from '@unified/contract';
import { page, saveRawRows, saveRecords } from '@unified/store';
import { beforeEach, expect, test } from 'vitest';
import { platform } from '../../test/faulty-platform.ts';
import { type Site, startHarness } from '../../test/harness.ts';
import { modelOfPlatform } from '../model/connection-model.ts';
import { rederiveStale } from './rederive-stale.ts';
import { deriveRecords } from './store-rows.ts';

/** More vendors than one transaction derives. */
const VENDORS = 700;

const harness = await startHarness();
const model = modelOfPlatform(platform);
const [stream] = platform.streams;
const never = new AbortController().signal;
let site: Site;

/** Vendors that point to a currency that has just been renamed. */
beforeEach(async () => {
  site = await harness.site();
  const rows = Array.from({ length: VENDORS }, (_, index) => {
    const id = String(index + 10);
    return { key: id, row: { id, kind: 'vendor', name: `V${id}`, currency: '7', changed: 0 } };
  });
  await saveCurrency('Euro');
  if (!stream) throw new Error('The platform has a stream.');
  await saveRawRows(site.scope, stream.name, rows);
  await deriveRecords(site.scope, model, stream, rows);
  await saveCurrency('euro');
});

async function saveCurrency(name: string): Promise<void> {
  const values = { code: 'EUR', name, isoCode: 'EUR' };
  const record = { _source: stream?.name ?? '', _idValue: '7', values, references: {} };
  await saveRecords(site.scope, entities.Currency, [record]);
}

async function showing(label: string): Promise<number> {
  const { docs } = await page(site.scope, entities.Vendor, { conditions: [], sort: [], limit: VENDORS });
  const vendors: { currency: { _displayValue: string } }[] = JSON.parse(`[${docs}]`);
  return vendors.filter(({ currency }) => currency._displayValue === label).length;
}

test('every record that shows an old label is derived again', async () => {
  expect(await showing('Euro')).toBe(VENDORS);
  await rederiveStale({ scope: site.scope, model }, never);
  expect(await showing('euro')).toBe(VENDORS);
});

test('renamed targets to which no record points do not delay the others to a later run', async () => {
  await rederiveStale({ scope: site.scope, model }, never);
  const accounts = (suffix: string) =>
    Array.from({ length: 2 * VENDORS }, (_, index) => {
      const values = { code: `A${index}`, name: `Account ${index} ${suffix}` };
      return { _source: stream?.name ?? '', _idValue: `account-${index}`, values, references: {} };
    });
  await saveRecords(site.scope, entities.Account, accounts('old'));
  await saveRecords(site.scope, entities.Account, accounts('new'));
  await saveCurrency('EURO');
  await rederiveStale({ scope: site.scope, model }, never);
  expect(await showing('EURO')).toBe(VENDORS);
});

test('the awaited records are derived first, and the rest follows', async () => {
  await rederiveStale({ scope: site.scope, model }, never, async () => true);
  expect(await showing('Euro')).toBeGreaterThan(0);
  expect(await showing('euro')).toBeGreaterThan(0);
  await rederiveStale({ scope: site.scope, model }, never);
  expect(await showing('Euro')).toBe(0);
});
