import { nameOf } from '../src/component-references.ts';
import { flatten } from './flatten.ts';
import type { Document, Schema } from './openapi.ts';

const PROSE = ['description', 'title', 'examples', 'example', 'deprecated', 'externalDocs', '$comment'];
const SCHEMAS = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const LISTS = ['anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];

interface Options {
  /** Whether `default` is kept. */
  readonly defaults?: boolean;
}

/** A schema without references, `allOf` and prose. Fails on a schema that contains itself: requests are finite. */
export function inline(
  document: Document,
  schema: Schema,
  options: Options = {},
  seen: readonly string[] = [],
): Schema {
  const path = schema.$ref ? [...seen, schema.$ref] : seen;
  if (schema.$ref && seen.includes(schema.$ref)) {
    throw new Error(`A request may not contain itself: ${path.map(nameOf).join(' > ')}.`);
  }
  const kept = Object.entries(flatten(document, schema)).filter(
    ([keyword]) =>
      !PROSE.includes(keyword) && !keyword.startsWith('x-') && !(keyword === 'default' && options.defaults === false),
  );
  return eachChild(Object.fromEntries(kept), (child) => inline(document, child, options, path));
}

/** The schema with each directly contained schema replaced. */
export function eachChild(schema: Schema, replace: (child: Schema) => Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, replaceIn(keyword, value, replace)]),
  );
}

function replaceIn(keyword: string, value: unknown, replace: (child: Schema) => Schema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (SCHEMAS.includes(keyword)) return replace(value as Schema);
  if (LISTS.includes(keyword)) return (value as Schema[]).map(replace);
  if (!MAPS.includes(keyword)) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Schema>).map(([name, child]) => [name, replace(child)]),
  );
}
