import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Scope } from '../src/index.ts';
import { conditionValue } from '../src/records/list/condition.ts';
import type { ListShape } from '../src/records/list/list-shape.ts';
import { listStatement } from '../src/records/list/list-statement.ts';
import { toSent } from '../src/sql/parameter.ts';

type Shape = Pick<ListShape, 'entity' | 'conditions' | 'keys' | 'position'>;

/** The plan of a list's first 51 records as a tenant gets it, as text: the generic plan, based on the last analyze. */
export async function planOf(admin: pg.Client, scope: Scope, shape: Shape): Promise<string> {
  const statement = listStatement({ ...shape, hasOffset: false, limit: 51 });
  const names = shape.conditions.map(({ custom }) => custom?.name ?? null);
  const given = [scope.connectionId, ...shape.conditions.map(conditionValue), ...(shape.position ?? []), 0, ...names];
  const name = `p_${randomUUID().replaceAll('-', '')}`;
  await admin.query('begin');
  try {
    await admin.query('set local role unified_tenant');
    await admin.query(`select set_config('app.connection_id', $1, true)`, [scope.connectionId]);
    await admin.query('set local plan_cache_mode = force_generic_plan');
    await admin.query(`prepare ${name} as ${statement.text}`);
    const values = statement.slots.map((slot) => admin.escapeLiteral(String(toSent(given[slot] ?? null) ?? '')));
    const { rows } = await admin.query(`explain execute ${name}${values.length ? `(${values.join(', ')})` : ''}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await admin.query('rollback');
  }
}

/** Largest number of rows that a plan expects to sort; 0 if it reads everything in order. */
export function rowsSorted(plan: string): number {
  const sorts = plan.split('\n').filter((line) => /Sort\s+\(cost/.test(line));
  return Math.max(0, ...sorts.map((line) => Number(/rows=(\d+)/.exec(line)?.[1])));
}
