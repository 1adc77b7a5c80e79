import { expect, test } from 'vitest';
import type { Feature, SqlDialect } from './dialect/sql-dialect.ts';
import { lackedFeatures } from './lacked-features.ts';
import type { StreamOptions } from './options.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';

const all: readonly Feature[] = [...(['functions', 'sequences', 'highest numbers', 'time zones', 'contents'] as const)];
const bare: SqlDialect = { ...postgresDialect, title: 'Bare', lacks: new Set(all) };

const stream = { name: 'order', key: ['id'], order: 0, deletes: 'none', pageSize: 10, options: {} } as const;

function problemsOf(options: Partial<StreamOptions>, dialects: readonly SqlDialect[] = [bare]): string[] {
  return lackedFeatures('erp', dialects, {}, [{ stream, options }]).map(({ field, message }) => `${field}: ${message}`);
}

test('every option that a dialect does not support is reported by name', () => {
  const list = { table: 'line', parent: { order: 'id' }, key: ['id'] };
  expect(
    problemsOf({
      ...{ content: 'bytes', timezone: 'Europe/Berlin', columns: { at: { timezone: 'Europe/Berlin' } } },
      children: { lines: { ...list, written: true, timezone: 'Europe/Berlin' } },
      actions: { approve: { call: 'approve' } },
      generated: { a: { function: 'f' }, b: { sequence: 's' }, c: { highest: true }, d: 'default' },
    }),
  ).toEqual([
    'streams.order.options.content: Bare has no contents',
    'streams.order.options.timezone: Bare has no time zones',
    'streams.order.options.columns.at.timezone: Bare has no time zones',
    'streams.order.options.children.lines.timezone: Bare has no time zones',
    'streams.order.options.actions.approve.call: Bare has no functions',
    'streams.order.options.generated.a.function: Bare has no functions',
    'streams.order.options.generated.b.sequence: Bare has no sequences',
    'streams.order.options.generated.c.highest: Bare has no highest numbers',
  ]);
  expect(lackedFeatures('erp', [bare], { timezone: 'Europe/Berlin' }, [])).toEqual([
    { file: 'erp/platform.yaml', field: 'options.timezone', message: 'Bare has no time zones' },
  ]);
});

test('it is enough that one dialect lacks a feature, and a list that is only read needs no feature', () => {
  const call = { actions: { approve: { call: 'approve' } } };
  expect(problemsOf(call, [postgresDialect])).toEqual([]);
  expect(problemsOf(call, [postgresDialect, bare])).toHaveLength(1);
  expect(problemsOf({ children: { lines: { table: 'line', parent: { order: 'id' }, key: ['id'] } } })).toEqual([]);
});

test('UTC is the zone of databases without zones', () => {
  const columns = { at: { timezone: 'Etc/UTC' } };
  expect(lackedFeatures('erp', [bare], { timezone: 'UTC' }, [{ stream, options: { columns } }])).toEqual([]);
});
