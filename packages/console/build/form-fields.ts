import type { FormField, FormKind } from '../src/contract/entity-facts.ts';
import { type Components, merged, referredName, type Schema } from './merged-schema.ts';

const RELATIONS = ['RelationInput', 'RelationTarget'];
/** Texts that may be longer are entered in several lines. */
const LONGEST_LINE = 500;

/**
 * The fields of a form for a body of the document, required ones first.
 *
 * @param targetsOf The entities that a relation may point to, by the name of its field.
 */
export function formFields(
  body: Schema,
  components: Components,
  targetsOf: (name: string) => readonly string[] | undefined,
): FormField[] {
  const { properties = {}, required = [] } = merged(body, components);
  const fields = Object.entries(properties)
    .filter(([, schema]) => !schema.readOnly)
    .map(([name, schema]) => formField(name, schema, { components, isRequired: required.includes(name), targetsOf }));
  return fields.toSorted((a, b) => Number(b.required) - Number(a.required));
}

interface Around {
  readonly components: Components;
  readonly isRequired: boolean;
  readonly targetsOf: (name: string) => readonly string[] | undefined;
}

function formField(name: string, schema: Schema, { components, isRequired, targetsOf }: Around): FormField {
  const chosen = presentPart(schema, components);
  const whole = merged(chosen, components);
  const kind = isRelation(schema) || isRelation(chosen) ? 'relation' : kindOf(whole);
  const targets = schema['x-references'] ?? whole['x-references'] ?? targetsOf(name);
  return {
    ...{ name, kind, required: isRequired },
    nullable: isNullable(schema, components),
    description: schema.description ?? whole.description ?? '',
    ...(kind === 'enum' && whole.enum && { values: whole.enum.filter((value) => value !== null) }),
    ...(kind === 'relation' && targets && { targets }),
    ...(whole.minimum !== undefined && { minimum: whole.minimum }),
    ...(whole.maximum !== undefined && { maximum: whole.maximum }),
    ...(whole.maxLength !== undefined && { maxLength: whole.maxLength }),
  };
}

function isRelation(schema: Schema): boolean {
  return RELATIONS.includes(referredName(schema) ?? '');
}

/** Of alternatives such as a schema or null, the one that is not null. */
function presentPart(schema: Schema, components: Components): Schema {
  return schema.anyOf?.find((each) => merged(each, components).type !== 'null') ?? schema;
}

function isNullable(schema: Schema, components: Components): boolean {
  const types = (each: Schema) => [merged(each, components).type ?? []].flat();
  return types(schema).includes('null') || (schema.anyOf ?? []).some((each) => types(each).includes('null'));
}

function kindOf({ type, format, maxLength = 0, ...schema }: Schema): FormKind {
  if (schema.enum) return 'enum';
  const [plain] = [type ?? []].flat().filter((each) => each !== 'null');
  if (plain === 'string') {
    if (format === 'date') return 'date';
    if (format === 'date-time') return 'datetime';
    return maxLength > LONGEST_LINE ? 'paragraph' : 'text';
  }
  return plain === 'number' || plain === 'integer' || plain === 'boolean' ? plain : 'json';
}
