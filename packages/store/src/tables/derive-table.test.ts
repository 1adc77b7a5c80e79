import { type Entity, entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { deriveTable } from './derive-table.ts';

test.each(Object.values<Entity>(entities))(
  'no field of $name has the name of a column that every table has',
  (entity) => {
    const names = deriveTable(entity).columns.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  },
);
