import { compileMapping, type Driver, SystemError } from '@unified/connectors';
import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { platform, stream } from '../../test/faulty-platform.ts';
import { checkSystem } from './check-system.ts';

const mapping = compileMapping(
  {
    entity: 'Vendor',
    stream: stream.name,
    writes: ['create'],
    fields: { name: { read: 'name', write: 'naem' }, notes: 'remark' },
  },
  { file: 'vendor.yaml', entity: entities.Vendor },
);

const unused = async () => {
  throw new SystemError('invalid', 'A check reads only what it probes.');
};

/** A system with one column. */
const driver: Driver = {
  check: async () => {},
  pull: unused,
  read: unused,
  close: async () => {},
  discover: {
    columns: async () => [{ name: 'name', type: 'text' }],
    written: async () => ({ table: 'shop.rows', columns: ['name'], lists: new Map(), actions: new Set<string>() }),
    probe: async () => ({ sample: null, problems: [], notes: [] }),
  },
};

const systems = { platformOf: () => platform, openDriver: () => driver };

test('a check distinguishes columns that leave fields empty from columns that make writes fail, and neither blocks', async () => {
  const { problems, streams } = await checkSystem({ ...platform, mappings: { Vendor: mapping } }, {}, { systems });
  expect(streams).toEqual([expect.objectContaining({ blocked: false })]);
  expect(problems).toEqual([
    {
      place: 'Vendor.notes',
      problem: 'rows has no column "remark". Correct the mapping.',
      remedy: 'Until then it stays empty.',
      blocks: false,
    },
    {
      place: 'Vendor.name',
      problem: 'shop.rows has no column "naem", which writes set. Did you mean "name"?',
      remedy: 'Until then writes of it fail.',
      blocks: false,
    },
  ]);
});

test('a check names references to entities that the platform does not map', async () => {
  const order = compileMapping(
    {
      entity: 'PurchaseOrder',
      stream: stream.name,
      fields: {
        vendor: { ref: { entity: 'Vendor', by: '_idValue', value: 'name' } },
        currency: { ref: { entity: 'Currency', by: 'code', value: 'name' } },
      },
    },
    { file: 'purchase-order.yaml', entity: entities.PurchaseOrder },
  );
  const vendor = compileMapping(
    { entity: 'Vendor', stream: stream.name, fields: { name: 'name' } },
    { file: 'vendor.yaml', entity: entities.Vendor },
  );
  const mappings = { PurchaseOrder: order, Vendor: vendor };
  const { problems } = await checkSystem({ ...platform, mappings }, {}, { systems });
  expect(problems).toEqual([
    {
      place: 'PurchaseOrder.currency',
      problem: 'The platform has no mapping of Currency. Add one.',
      remedy: 'Until then it stays empty.',
      blocks: false,
    },
  ]);
});

test('a check names a text that is the key of another record', async () => {
  const key = {
    name: 'name',
    type: 'many2one',
    scalar: { type: 'number' as const, limits: {} },
    refersTo: { table: 'party', column: 'id' },
  };
  const columns = async () => [key, { ...key, name: 'remark', refersTo: { table: 'note', column: 'id' } }];
  const text = { read: { text: 'remark' } };
  const fields = { name: 'name', notes: text, code: { lookup: { from: 'name', table: { '1': 'a' } } } };
  const vendor = compileMapping(
    { entity: 'Vendor', stream: stream.name, fields },
    { file: 'vendor.yaml', entity: entities.Vendor },
  );
  const discover = { ...driver.discover, columns, probe: async () => ({ sample: null, problems: [], notes: [] }) };
  const related = { platformOf: () => platform, openDriver: () => ({ ...driver, discover }) };
  const { problems } = await checkSystem({ ...platform, mappings: { Vendor: vendor } }, {}, { systems: related });
  const remedy = 'Read a text of that record instead, or remove the field.';
  expect(problems).toEqual([
    { place: 'Vendor.name', problem: '"name" is the key of a party, not a text.', remedy, blocks: false },
    { place: 'Vendor.notes', problem: '"remark" is the key of a note, not a text.', remedy, blocks: false },
  ]);
});

test.each([
  { entity: 'Contact' as const, writes: ['create', 'update'], advice: 'PUT, add `replace`' },
  { entity: 'WorkTask' as const, writes: ['replace'], advice: 'PATCH, add `update`' },
  { entity: 'Contact' as const, writes: ['replace', 'update'], advice: null },
  { entity: 'Vendor' as const, writes: ['update'], advice: null },
])('a check names the change that $entity has, if $writes has another one', async ({ entity, writes, advice }) => {
  const changed = compileMapping(
    { entity, stream: stream.name, writes, fields: { name: 'name' } },
    { file: 'changed.yaml', entity: entities[entity] },
  );
  const { problems } = await checkSystem({ ...platform, mappings: { [entity]: changed } }, {}, { systems });
  expect(problems).toEqual(
    advice === null
      ? []
      : [{ place: `${entity}.writes`, problem: expect.stringContaining(advice), remedy: '', blocks: false }],
  );
});

test('a platform without streams is refused, unless its connections can have streams of their own', async () => {
  const empty = { ...platform, streams: [], mappings: {} };
  const of = async (driver: string) => (await checkSystem({ ...empty, driver }, {}, { systems })).problems;
  expect(await of('faulty')).toMatchObject([{ problem: 'The platform has no streams.', blocks: true }]);
  expect(await of('sql')).toEqual([]);
});
