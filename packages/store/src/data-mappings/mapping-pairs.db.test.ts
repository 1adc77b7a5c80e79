import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import {
  addDataMapping,
  budgetOf,
  type Cardinality,
  externalValuesOf,
  pageOfPairs,
  replacePairs,
  type Scope,
} from '../index.ts';

const { freshScope, admin } = await testDatabase();

async function mappingOf(scope: Scope, entity: string, cardinality: Cardinality): Promise<string> {
  return (await addDataMapping(scope, { entity, cardinality }))?.id ?? expect.fail('The entity has a mapping already.');
}

const values = (count: number, serviceId = randomUUID()) =>
  Array.from({ length: count }, (_, n) => ({ serviceId, externalValue: `E-${n}` }));

test('a record has at most 100 values in a set of pairs', async () => {
  const scope = freshScope();
  const mappingId = await mappingOf(scope, 'Gadget', 'one_to_many');
  expect(await replacePairs(scope, { mappingId }, values(100))).toMatchObject({ removed: 0, added: 100 });
  const refused = replacePairs(scope, { mappingId }, values(101));
  await expect(refused).rejects.toMatchObject({ name: 'TooManyPairs', message: expect.stringContaining('101 values') });
  expect(await pageOfPairs(scope, { mappingId, limit: 200 })).toHaveLength(100);
});

test('all mappings of a connection have a limited number of pairs, even if they are replaced at the same time', async () => {
  const scope = freshScope();
  const mappings = [await mappingOf(scope, 'Gadget', 'one_to_many'), await mappingOf(scope, 'Maker', 'one_to_many')];
  const replaced = mappings.map((mappingId) => replacePairs(scope, { mappingId }, values(2), 3));
  const outcomes = (await Promise.allSettled(replaced)).map(({ status }) => status);
  expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('pairs of other clients are not checked again', async () => {
  const scope = freshScope();
  const mappingId = await mappingOf(scope, 'Gadget', 'one_to_one');
  const [clientId, other] = [randomUUID(), randomUUID()];
  // Pairs that violate the cardinality, which no request can store.
  await admin.query(
    `insert into unified.data_mapping_pairs (connection_id, "mappingId", "clientId", "serviceId", "externalValue")
     select $1, $2, $3, gen_random_uuid(), 'same' from generate_series(1, 2)`,
    [scope.connectionId, mappingId, other],
  );
  expect(await replacePairs(scope, { mappingId, clientId }, values(1))).toMatchObject({ added: 1 });
  const own = replacePairs(scope, { mappingId, clientId }, values(2));
  await expect(own).rejects.toMatchObject({ name: 'MappingConflict', count: 1 });
});

test('values of records are read within a budget of bytes', async () => {
  const scope = freshScope();
  const mappingId = await mappingOf(scope, 'Gadget', 'one_to_many');
  const ids = [randomUUID(), randomUUID()];
  const pairs = ids.map((serviceId, n) => ({ serviceId, externalValue: String(n).repeat(255) }));
  await replacePairs(scope, { mappingId }, pairs);
  const small = budgetOf(400);
  expect((await externalValuesOf(scope, ['Gadget'], ids, small)).size).toBe(1);
  expect(small.isExceeded).toBe(true);
  const large = budgetOf(4_000);
  expect((await externalValuesOf(scope, ['Gadget'], ids, large)).size).toBe(2);
  expect(large.isExceeded).toBe(false);
});
