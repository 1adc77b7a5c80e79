import { entities, ServiceError } from '@unified/contract';
import { budgetOf, executeQuery, queryTables, type Scope, saveRecords } from '@unified/store';
import { connect, database, seed, type TestDatabase } from '@unified/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { seededRandom } from '../../store/test/seeded-random.ts';

// The number of statements that are generated; 10,000 take some minutes.
const COUNT = Number(process.env.GENERATED_QUERIES ?? 500);
const SEED = Number(process.env.SEED ?? 15);
vi.setConfig({ testTimeout: 1_200_000 });

const CANARY = 'CANARY-7f3a';

let base: TestDatabase;
let scope: Scope;

beforeAll(async () => {
  base = await database();
  ({ scope } = await connect(base.store));
  await seed(scope, { vendors: 5, workOrders: 5 });
  const { scope: other } = await connect(base.store);
  await seed(other, { vendors: 3, workOrders: 2 });
  const values = { name: CANARY, code: CANARY, legalName: CANARY, isActive: true };
  await saveRecords(other, entities.Vendor, [{ _source: 'party', _idValue: CANARY, values, references: {} }]);
});
afterAll(() => base.stop());

/** Statements of the grammar, of which most are valid. */
function statements(random: () => number): () => string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const TEXTS = ['name', 'code', 'legalName', 'currency.code', 'lower(name)', "coalesce(name, 'x')", 'left(code, 3)'];
  const VALUES = ["'a%'", `'${CANARY}'`, "'%CANARY%'", "''", 'null', "'EUR'"];
  const text = (of: string) => {
    const found = pick(TEXTS);
    return found.includes('(') || of === '' ? found : `${of}.${found}`;
  };
  const condition = (of: string, depth: number): string => {
    if (depth > 2) return `${text(of)} is not null`;
    switch (Math.floor(random() * 8)) {
      case 0:
        return `${text(of)} ${pick(['=', '<>', '<', '>', 'like', 'ilike'])} ${pick(VALUES)}`;
      case 1:
        return `(${condition(of, depth + 1)} ${pick(['and', 'or'])} ${condition(of, depth + 1)})`;
      case 2:
        return `not ${condition(of, depth + 1)}`;
      case 3:
        return `${text(of)} in (${pick(VALUES)}, ${pick(VALUES)})`;
      case 4:
        return `exists (select 1 from vendors e where ${condition('e', depth + 1)})`;
      case 5:
        return `${text(of)} in (select ${text('s')} from vendors s where ${condition('s', depth + 1)})`;
      case 6:
        return pick(['true', 'false', '1 = 1', `'${CANARY}' = '${CANARY}'`]);
      default:
        return `${text(of)} is ${pick(['', 'not '])}distinct from ${pick(VALUES)}`;
    }
  };
  const source = () =>
    pick([
      'vendors v',
      '(select * from vendors) v',
      'vendors v left join vendors w on true',
      'vendors v full join vendors w on v.code = w.code',
      'vendors v cross join currencies c',
      '(select name, code, legalName, currency from vendors where true or false) v',
    ]);
  return () => {
    const where = random() < 0.8 ? ` where ${condition('v', 0)}` : '';
    const from = ` from ${source()}${where}`;
    switch (Math.floor(random() * 6)) {
      case 0:
        return `select * ${from} limit 50`;
      case 1:
        return `select ${text('v')}, count(*)${from} group by 1 having ${pick(['count(*) > 0', 'true'])}`;
      case 2:
        return `with q as (select ${text('v')} as a${from}) select a from q order by a limit 20`;
      case 3:
        return `select max(v.name), min(v.code), count(distinct v.legalName)${from}`;
      case 4:
        return `select v.name, row_number() over (partition by v.code order by v.name)${from}`;
      default:
        return `select case when ${condition('v', 1)} then v.name else (select max(x.name) from vendors x) end${from}`;
    }
  };
}

it(`the record of another connection is returned by none of ${COUNT} generated statements`, async () => {
  const next = statements(seededRandom(SEED));
  const tables = queryTables(Object.values(scope.entities).map((entity) => ({ entity, customFields: [] })));
  let returned = 0;
  for (let number = 0; number < COUNT; number += 1) {
    const statement = next();
    try {
      const input = { statement, parameters: new Map() };
      const { rows } = await executeQuery(scope, input, tables, { limit: 100, offset: 0, budget: budgetOf(1_000_000) });
      // A literal of the statement itself can be a value.
      expect([statement, JSON.stringify(rows).includes(CANARY)]).toEqual([statement, false]);
      returned += 1;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    }
  }
  // Most are valid, otherwise the test would show nothing.
  expect(returned).toBeGreaterThan(COUNT / 2);
});
