import type { Row } from '../driver.ts';
import { hasProperties } from '../mapping/path.ts';
import { bare } from './field-names.ts';

/** A list of objects in the body of a response. */
export interface SampledList {
  /** Path of the list; null if the body is the list. */
  readonly path: string | null;
  readonly rows: readonly Row[];
}

/** Maximum number of names in the path of a list. */
const DEEPEST = 3;

/** The list of objects that is the least deep in a body; null if there is none with rows. */
export function listIn(body: unknown): SampledList | null {
  let level: readonly (readonly [names: readonly string[], value: unknown])[] = [[[], body]];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    for (const [names, value] of level) if (isList(value)) return { path: names.join('.') || null, rows: value };
    level = level.flatMap(([names, value]) => below(value).map(([name, each]) => [[...names, name], each] as const));
  }
  return null;
}

/** The property that identifies the rows: `id`, or else the first one with a different value in each row; null if there is none. */
export function keyOfRows(rows: readonly Row[]): string | null {
  const names = Object.keys(rows[0] ?? {}).filter((name) => identifies(rows.map((row) => row[name])));
  return names.find((name) => bare(name) === 'id') ?? names[0] ?? null;
}

function identifies(values: readonly unknown[]): boolean {
  const isKey = (value: unknown) => (typeof value === 'string' && value !== '') || typeof value === 'number';
  return values.every(isKey) && new Set(values.map(String)).size === values.length;
}

function isList(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Properties of an object, except those whose names cannot be part of a path. */
function below(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return isObject(value) ? Object.entries(value).filter(([name]) => !name.includes('.')) : [];
}

function isObject(value: unknown): value is Row {
  return hasProperties(value) && !Array.isArray(value);
}
