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

test('a check distinguishes columns that leave fields empty from columns that make writes fail, and neither blocks', async () => {
  const systems = { platformOf: () => platform, openDriver: () => driver };
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
