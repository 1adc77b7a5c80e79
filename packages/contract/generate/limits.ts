import { resolve } from '../src/component-references.ts';
import type { Limits } from '../src/entity.ts';
import { onlyBranch } from './only-branch.ts';
import type { Document, Schema } from './openapi.ts';

const NUMBERS = ['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;
const COUNTS = ['minItems', 'maxItems'] as const;

/** The limits of a property and, if it is a list, of its elements; empty if the document has none. */
export function limitsOf(document: Document, node: Schema): { limits?: Limits } {
  const schema = valueIn(document, node);
  const value = schema.items ? valueIn(document, schema.items) : schema;
  const limits: Limits = {
    ...numbersOf(value, NUMBERS),
    ...(typeof value.pattern === 'string' && { pattern: value.pattern }),
    ...numbersOf(schema, COUNTS),
  };
  return Object.keys(limits).length > 0 ? { limits } : {};
}

/** The schema of a property without null. */
function valueIn(document: Document, node: Schema): Schema {
  const schema = resolve<Schema>(document, node);
  const only = onlyBranch(schema);
  return only ? valueIn(document, only) : schema;
}

function numbersOf(schema: Schema, keywords: readonly (keyof Limits)[]): Limits {
  const given = keywords.map((keyword) => [keyword, schema[keyword]] as const);
  return Object.fromEntries(given.filter(([, value]) => typeof value === 'number'));
}
