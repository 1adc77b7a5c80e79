import { type Entity, entities, type Field, relatedFields } from '@unified/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { planOf } from '../../../test/plan.ts';
import { migrate } from '../../index.ts';
import { deriveTable, linkName, listFields } from '../../tables/derive-table.ts';
import { storedEntities } from '../../tables/derive-view.ts';
import { sortKeys } from './keyset.ts';

const { admin, open, freshScope } = await testDatabase();
const store = await open({ entities });
const scope = store.scope(freshScope());

const ROWS = 2000;
const ID = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';

/** A value of a column in row `n`; references point to no record. */
const values: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `'x' || n`,
  numeric: 'n',
  boolean: 'n % 2 = 0',
  timestamptz: `now() - n * interval '1 minute'`,
  'uuid[]': `'{}'`,
  'text[]': `'{}'`,
  json: `'{}'`,
  jsonb: 'null',
  bigint: 'n',
};

async function fill(entity: Entity): Promise<void> {
  const { name: table, columns } = deriveTable(entity);
  const made = columns.map(({ name, type }) => {
    if (name === 'connection_id') return `'${scope.connectionId}'`;
    return name === '_deletedAt' ? 'null' : values[type];
  });
  const names = columns.map(({ name }) => `"${name}"`);
  await admin.query(`insert into ${table} (${names}) select ${made} from generate_series(1, ${ROWS}) n`);
  for (const field of listFields(entity)) {
    await admin.query(
      `insert into unified.links select connection_id, $1, gen_random_uuid(), id from ${table} limit ${ROWS}`,
      [linkName(entity.name, field)],
    );
  }
}

beforeAll(async () => {
  await migrate(store);
  for (const entity of storedEntities(entities)) await fill(entity);
  await admin.query('analyze');
});

/** The plan for the first page of a list filtered by this field. */
function planBy(entity: Entity, field: Field, operator: 'eq' | 'in'): Promise<string> {
  const value = operator === 'eq' ? ID : [ID, ID];
  return planOf(admin, scope, {
    entity,
    conditions: [{ field, operator, value }],
    keys: sortKeys(entity, []),
    position: null,
  });
}

describe.each(Object.values(entities))('$name', (entity) => {
  const { indexes } = deriveTable(entity);
  const related = entity.fields.filter(({ kind }) => kind === 'relation' || kind === 'relations');

  test('its default list is read in order, from any position', async () => {
    for (const position of [null, [ID]]) {
      const plan = await planOf(admin, scope, { entity, conditions: [], keys: sortKeys(entity, []), position });
      expect(plan).toMatch(/Index.* Scan/);
      // For a view of several entities, the plan merges their indexes: it has a sort key, but sorts nothing.
      expect(plan).not.toMatch(/Seq Scan|Sort {2}\(/);
    }
  });

  test('a list by any relation uses the index of that relation', async () => {
    for (const field of related) {
      for (const operator of ['eq', 'in'] as const) {
        const plan = await planBy(entity, field, operator);
        expect(plan, `${field.name} ${operator}`).toMatch(indexFor(field));
        expect(plan, `${field.name} ${operator}`).not.toContain('Seq Scan');
      }
    }
  });

  test('a list by the code of any relation uses the index of the code, then the one of the relation', async () => {
    for (const relation of related) {
      const { field, targets } = relatedFields(relation).get('code') ?? expect.fail(relation.name);
      const condition = { field, through: { relation, targets }, operator: 'eq', value: 'x7' } as const;
      const keys = sortKeys(entity, []);
      const plan = await planOf(admin, scope, { entity, conditions: [condition], keys, position: null });
      expect(plan, relation.name).toMatch(indexFor(relation));
      expect(plan, relation.name).not.toContain('Seq Scan');
    }
  });

  /**
   * The index that the plan of a list by this field must use, so that it reads only the records that point to the requested
   * one.
   */
  function indexFor({ name, kind }: Field): RegExp {
    if (kind === 'relations' && entity.view) return /links_pkey[\s\S]*Index Cond: .*\((id|target) = /;
    if (kind === 'relations') return /links_pkey[\s\S]*Index Cond: \(\(connection_id = \$1\) AND \(id = /;
    const index = indexes.find(({ definition }) => definition.includes(`"${name}", id`));
    return entity.view ? /Index.* Scan/ : new RegExp(`using "?${index?.name}"?`);
  }
});
