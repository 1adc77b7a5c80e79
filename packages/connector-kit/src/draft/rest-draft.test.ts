import { fileURLToPath } from 'node:url';
import { draftMapping, loadPlatform, openDriver, sampledTable } from '@unified/connectors';
import { entityOf } from '@unified/contract';
import { expect, test } from 'vitest';
import { httpServer } from '../../../connectors/test/http-server.ts';
import { reply } from '../../../connectors/test/rest-system.ts';
import { mappingText, streamText } from './draft-text.ts';

const jobs = [
  { id: 1, title: 'Pump', date_created: '2026-11-20T09:30:15Z', date_updated: null },
  { id: 2, title: 'Belt', date_created: '2026-11-20T09:30:15Z', date_updated: '2026-11-21T09:30:15Z' },
];

/** The draft of the list of an API that has these rows. */
async function drafted(entity: string, address: string, rows: readonly object[]) {
  const url = await httpServer((_, response) => reply(response, { data: rows }));
  const settings = { url: url.href.replace(/\/$/, ''), token: 'secret', allowPrivateHosts: true };
  const platform = loadPlatform(fileURLToPath(new URL('../../templates/rest', import.meta.url)));
  const driver = openDriver(platform, settings);
  const table = await sampledTable(platform, driver, address).finally(() => driver.close());
  return draftMapping({ platform, settings }, entityOf(entity) ?? expect.fail('no entity'), table);
}

test('the dates of creation and of change are drafted, and the second one is proposed as a cursor', async () => {
  const draft = await drafted('WorkOrder', '/jobs', jobs);
  expect(mappingText(draft)).toContain(
    'stream: jobs\ncreated: { datetime: date_created }\nupdated: { datetime: date_updated }\n',
  );
  expect(streamText(draft, { isList: true })).toMatch(
    /^jobs:\n {2}key: id # a guess from a sample of rows\n {2}# If date_updated changes with .*\n {2}# "changes" to the options.*\n {2}# cursor: date_updated\n {2}options: /,
  );
});

test.each([
  ['', {}, undefined],
  [
    ', which has its own columns',
    { bill_street: 'Dock Rd 2', bill_city: 'York' },
    { object: { fields: { line1: 'bill_street', city: 'bill_city' } } },
  ],
])('the street and city of a site are its address, not its billing address%s', async (_, billing, expected) => {
  const site = { id: 1, name: 'North', street: 'Main St 1', city: 'Hull', ...billing };
  const { fields } = await drafted('Site', '/sites', [site]);
  expect(fields.get('address')).toEqual({ object: { fields: { line1: 'street', city: 'city' } } });
  expect(fields.get('billingAddress')).toEqual(expected);
});

test.each([
  ['texts with several words are drafted as a text', 'Net 30', { terms: 'payment_terms' }],
  [
    'texts of one word are drafted as a reference',
    'N30',
    {
      paymentTerm: { ref: { entity: 'PaymentTerm', by: '_idValue', value: 'payment_terms' } },
    },
  ],
])('payment terms: %s', async (_, payment_terms, expected) => {
  const { fields, proposals } = await drafted('Vendor', '/vendors', [{ id: 1, name: 'ACME', payment_terms }]);
  const { name, ...others } = Object.fromEntries(fields);
  expect([name, others]).toEqual(['name', expected]);
  expect(proposals.has('paymentTerm')).toBe(Object.hasOwn(expected, 'paymentTerm'));
});

test.each([
  ['/v2/suppliers', 'The platform already has a stream "suppliers"', 'Name it instead of its address: suppliers.'],
  ['/jobs?tag=a&tag=b', '/jobs?tag=a&tag=b has several values of "tag"', 'Leave out all but one of them.'],
])('an address that would not be the list of the stream is refused: %s', async (address, words, remedy) => {
  await expect(drafted('Vendor', address, jobs)).rejects.toMatchObject({ words, explanation: { remedy } });
});

test('a text for which an entity has no field is not drafted', async () => {
  const { fields, unusedColumns } = await drafted('Customer', '/customers', [{ id: 1, payment_terms: 'Net 30' }]);
  expect(fields.size).toBe(0);
  expect(unusedColumns.map(({ name }) => name)).toEqual(['payment_terms']);
});
