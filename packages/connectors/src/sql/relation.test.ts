import { expect, test } from 'vitest';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { relationOf } from './relation.ts';

test.each([
  ['UnitMeasure', 'erp', 'UnitMeasure', '"erp"."UnitMeasure"'],
  ['Production.UnitMeasure', 'Production', 'UnitMeasure', '"Production"."UnitMeasure"'],
  ['Old ERP.order lines', 'Old ERP', 'order lines', '"Old ERP"."order lines"'],
  ['"v1.units"', 'erp', 'v1.units', '"erp"."v1.units"'],
  ['Production."v1.""units"""', 'Production', 'v1."units"', '"Production"."v1.""units"""'],
])('%s is found in schema %s as %s', (text, schema, name, sql) => {
  expect(relationOf(postgresDialect, text, 'erp')).toEqual({ schema, name, sql });
});
