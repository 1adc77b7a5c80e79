import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { draftMapping, loadPlatform } from '@unified/connectors';
import { type EntityName, entities } from '@unified/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SystemUnderTest } from '../system-under-test.ts';
import { streamText } from './draft-text.ts';

const root = mkdtempSync(join(tmpdir(), 'german-'));
const platform = loadPlatform(fileURLToPath(new URL('../../templates/files', import.meta.url)));
const system = new SystemUnderTest(platform, { folder: '.' });

const files = {
  'lieferanten.csv': `Lieferanten-Nr.;Firma;Straße;PLZ;Ort;Telefon;E-Mail;USt-IdNr.;Währung
70001;Schrauben Meyer;Hauptstr. 1;20095;Hamburg;040 1;a@meyer.example;DE1;EUR
`,
  'bestellungen.csv': `Bestellungen;;;;
Stand;24.11.2026;;;
Bestell-Nr.;Lieferanten-Nr.;Bestelldatum;Liefertermin;Gesamtbetrag;Geändert am
4500001;70001;20.11.2026;00.00.0000;1.234,50;2026-11-20
4500002;70001;21.11.2026;01.12.2026;12,50-;2026-11-21
`,
  'artikel.csv': `Artikel-Nr.;Bezeichnung;Art.-Gruppe;ME;Bestand
A-1;Schraube;X;Stk;5
`,
};

beforeAll(() => {
  vi.stubEnv('FILES_FOLDER', root);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await system.close();
  rmSync(root, { recursive: true });
});

async function drafted(table: string, entity: EntityName) {
  const page = await system.driver.discover?.catalog?.columns(table, { from: null });
  return draftMapping(system, entities[entity], { name: table, columns: page?.items ?? [] });
}

test('German headers are drafted', async () => {
  const { fields, unusedColumns } = await drafted('lieferanten.csv', 'Vendor');
  expect(unusedColumns.map(({ name }) => name)).toEqual(['Straße', 'PLZ', 'Ort']);
  const { fields: customer } = await drafted('lieferanten.csv', 'Customer');
  expect(customer.get('billingAddress')).toEqual({
    object: { fields: { line1: 'Straße', city: 'Ort', postalCode: 'PLZ' } },
  });
  expect(Object.fromEntries(fields)).toEqual({
    code: 'Lieferanten-Nr\\.',
    name: 'Firma',
    phone: 'Telefon',
    email: 'E-Mail',
    taxNumber: 'USt-IdNr\\.',
    currency: { ref: { entity: 'Currency', by: '_idValue', value: 'Währung' } },
  });
});

test('titles, dates without a day and signs at the end do not hide types; the stream names the line of its header', async () => {
  const draft = await drafted('bestellungen.csv', 'PurchaseOrder');
  expect(Object.fromEntries(draft.fields)).toEqual({
    code: 'Bestell-Nr\\.',
    vendor: { ref: { entity: 'Vendor', by: 'code', value: 'Lieferanten-Nr\\.' } },
    orderDate: { date: { from: 'Bestelldatum', format: 'DD.MM.YYYY' } },
    expectedDeliveryDate: { date: { from: 'Liefertermin', format: 'DD.MM.YYYY' } },
    total: { number: { from: 'Gesamtbetrag', decimal: ',' } },
  });
  expect(draft.updated).toBe('Geändert am');
  expect(streamText(draft)).toContain('options: { header: 3 }');
});

test('columns that no field matches keep their names', async () => {
  const { fields, unusedColumns } = await drafted('artikel.csv', 'Item');
  expect(Object.fromEntries(fields)).toMatchObject({ code: 'Artikel-Nr\\.', name: 'Bezeichnung' });
  expect(unusedColumns.map(({ name }) => name)).toContain('Art.-Gruppe');
});
