import { expect, it } from 'vitest';
import { listSamples, mqlOf } from './list-samples.ts';

const list = {
  serverUrl: 'http://localhost:4000',
  token: '$TOKEN',
  collection: 'work-orders',
  perPage: 50,
  conditions: [
    { field: 'name', operator: 'contains', value: "O'Brien" },
    { field: 'statusCategory', operator: 'in', value: 'open,on_hold' },
  ],
  sort: '-dueAt',
};

it('quotes values for the shell and expands the token', () => {
  expect(listSamples(list).curl).toBe(
    [
      "curl -sSG 'http://localhost:4000/v4/work-orders' \\",
      '  -H "Authorization: Bearer $TOKEN" \\',
      "  --data-urlencode 'filter[name:contains]=O'\\''Brien' \\",
      "  --data-urlencode 'filter[statusCategory:in]=open,on_hold' \\",
      "  --data-urlencode 'sort=-dueAt' \\",
      "  --data-urlencode 'per_page=50'",
    ].join('\n'),
  );
});

it('names the collection as the SDK does', () => {
  expect(listSamples(list).typescript).toContain('client.workOrders.list({');
  expect(listSamples(list).typescript).toContain("token: process.env.TOKEN ?? ''");
});

it('contains a real token if there is one', () => {
  const { curl, typescript, python } = listSamples({ ...list, token: 'sct_1' });
  expect(curl).toContain("'Authorization: Bearer sct_1'");
  expect(typescript).toContain('token: "sct_1"');
  expect(python).toContain(`'Bearer ' + "sct_1"`);
});

it('is a statement in MQL, with quotes doubled and numbers plain', () => {
  expect(mqlOf(list)).toBe(
    "select * from work_orders\nwhere name ilike '%O''Brien%'\n  and statusCategory in ('open', 'on_hold')\norder by dueAt desc\nlimit 50",
  );
  const conditions = [
    { field: 'total', operator: 'gte', value: '100' },
    { field: 'closedAt', operator: 'eq', value: 'null' },
  ];
  expect(mqlOf({ collection: 'invoices', perPage: 5, conditions, sort: undefined })).toBe(
    'select * from invoices\nwhere total >= 100\n  and closedAt is null\nlimit 5',
  );
});
