import type { Row } from '../driver.ts';
import type { Condition, Scalar } from './definition.ts';
import { reader, segments } from './path.ts';
import { codeText } from './scalar-text.ts';
import type { SchemaPath } from './schema-path.ts';

export type Test = (row: Row) => boolean;

/** A test of one value. Scalars are compared by `codeText`, so that 1 and "1" are the same code, and so are `''` and `' '`. */
export function compileCondition(condition: Condition, place: SchemaPath): Test {
  const read = reader(segments(condition.path, place));
  if (condition.present !== undefined) {
    const wanted = condition.present;
    return (row) => (read(row) !== null) === wanted;
  }
  if (condition.sameAs !== undefined) {
    const other = reader(segments(condition.sameAs, place));
    return (row) => codeText(read(row)) === codeText(other(row));
  }
  const listed: readonly Scalar[] = condition.in ?? [condition.equals ?? null];
  const texts = new Set(listed.map(codeText));
  return (row) => texts.has(codeText(read(row)));
}

/** The paths that a condition reads. */
export function conditionPaths({ path, sameAs }: Condition): readonly string[] {
  return sameAs === undefined ? [path] : [path, sameAs];
}

/** All conditions of `where`; a mapping without conditions reads every row. */
export function compileConditions(where: Condition | readonly Condition[] | undefined, place: SchemaPath): Test {
  if (where === undefined) return () => true;
  const tests = (isList(where) ? where : [where]).map((condition) => compileCondition(condition, place));
  const [only] = tests;
  return tests.length === 1 && only ? only : (row) => tests.every((test) => test(row));
}

function isList(where: Condition | readonly Condition[]): where is readonly Condition[] {
  return Array.isArray(where);
}
