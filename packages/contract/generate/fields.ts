import { AVAILABLE_ACTIONS } from '../src/allowed-actions.ts';
import { nameOf, resolve } from '../src/component-references.ts';
import type { Field, FieldKind } from '../src/entity.ts';
import { flatten } from './flatten.ts';
import { limitsOf } from './limits.ts';
import { onlyBranch } from './only-branch.ts';
import type { Document, Schema } from './openapi.ts';

/**
 * Properties that reads add on request: values of data mappings, and the lineage of fields. They are not stored with the
 * record.
 */
const ADDED = ['externalValues', 'lineage'];

/** Fields of an entity in the order of the document, the common ones first. */
export function fieldsOf(document: Document, entity: string, entities: ReadonlySet<string>): readonly Field[] {
  const named = (name: string) => {
    const schema = document.components.schemas?.[name];
    return schema ? [flatten(document, schema)] : [];
  };
  const { properties, ...returned } = flatten(document, { $ref: `#/components/schemas/${entity}` });
  const stored = Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => !ADDED.includes(name)));
  const fields = propertiesOf(
    document,
    { ...returned, properties: stored },
    [...named(`${entity}Patch`), ...named(`${entity}Input`)],
    entities,
  );
  for (const field of fields) refuseDeepRelations(entity, field);
  return fields;
}

/** Properties of a returned object. Those that one of the `sent` objects also has are writable. */
function propertiesOf(
  document: Document,
  returned: Schema,
  sent: readonly Schema[],
  entities: ReadonlySet<string>,
): readonly Field[] {
  return Object.entries(returned.properties ?? {}).map(([name, schema]) => {
    const given = sent.map(({ properties }) => properties?.[name]).filter((each) => each !== undefined);
    const field = {
      name,
      nullable: isNullable(resolve<Schema>(document, schema)),
      required: returned.required?.includes(name) ?? false,
      // The key of a line can be sent to identify the line, but not to change it.
      writable: given.length > 0 && resolve<Schema>(document, schema).readOnly !== true,
      // This field is derived from the state, by which lists can be filtered instead.
      ...(name === AVAILABLE_ACTIONS ? ({ kind: 'objects' } as const) : kindOf(document, schema, entities)),
      ...limitsOf(document, schema),
    };
    if (field.kind === 'relations' && given.some((each) => holdsLines(document, each)))
      return { ...field, holdsLines: true as const };
    if (field.kind !== 'object' && field.kind !== 'objects') return field;
    const [object = {}, ...inputs] = [schema, ...given].map((each) => objectIn(document, each));
    const fields = propertiesOf(document, object, inputs, entities);
    return fields.length > 0 ? { ...field, fields } : field;
  });
}

/** Whether the elements of a sent list can contain more than the identification of the record that they point to. */
function holdsLines(document: Document, node: Schema): boolean {
  const { items } = resolve<Schema>(document, node);
  return items !== undefined && nameOf(items.$ref ?? '') !== 'RelationTarget';
}

/** The object type of a property: its own type, that of the elements of a list, or that of a nullable value. */
function objectIn(document: Document, node: Schema): Schema {
  const schema = resolve<Schema>(document, node);
  const inner = schema.items ?? onlyBranch(schema);
  return inner ? objectIn(document, inner) : flatten(document, schema);
}

/** Records refer to others through their own properties and those of embedded objects, but not through deeper ones. */
function refuseDeepRelations(entity: string, { name, fields = [] }: Field): void {
  for (const inner of fields) {
    const deep = inner.fields?.find(({ targets, fields: deeper }) => targets !== undefined || deeper !== undefined);
    if (deep)
      throw new Error(`${entity}: \`${name}.${inner.name}.${deep.name}\` is too deep; an object holds plain values.`);
  }
}

type Kind = Pick<Field, 'kind' | 'values' | 'targets'>;

function kindOf(document: Document, node: Schema, entities: ReadonlySet<string>): Kind {
  const schema = resolve<Schema>(document, node);
  const targets = targetsOf(schema, entities);
  if (targets) return { kind: 'relation', targets };
  if (schema.items) return { ...listKind(document, schema.items, entities) };
  const only = onlyBranch(schema);
  if (only) return kindOf(document, only, entities);
  const listed = valuesOf(schema);
  return listed ? { kind: 'enum', ...listed } : { kind: plainKind(schema) };
}

/** The texts that a schema lists. */
function valuesOf(schema: Schema): Required<Pick<Field, 'values'>> | undefined {
  const values = schema.enum?.filter((value) => typeof value === 'string') ?? [];
  return values.length > 0 ? { values } : undefined;
}

function listKind(document: Document, node: Schema, entities: ReadonlySet<string>): Kind {
  const item = resolve<Schema>(document, node);
  const targets = node.$ref && nameOf(node.$ref) === 'Relation' ? statedTargets(node) : targetsOf(item, entities);
  if (targets) return { kind: 'relations', targets };
  return typesOf(item).includes('string') ? { kind: 'texts', ...valuesOf(item) } : { kind: 'objects' };
}

/** Entities that a reference may point to; undefined if the schema contains no reference. */
function targetsOf(schema: Schema, entities: ReadonlySet<string>): readonly string[] | undefined {
  const names = (schema.anyOf ?? []).flatMap(({ $ref }) => ($ref ? [nameOf($ref)] : []));
  if (!names.includes('Relation')) return undefined;
  return [...names.filter((name) => entities.has(name)), ...statedTargets(schema)];
}

/** Targets of a reference that no response expands, so that its schema cannot name them in another way. */
function statedTargets({ 'x-references': targets }: Schema): readonly string[] {
  return Array.isArray(targets) ? targets : [];
}

function plainKind(schema: Schema): FieldKind {
  const [type] = typesOf(schema).filter((name) => name !== 'null');
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  if (type !== 'string') return isOpen(schema) ? 'custom' : 'object';
  if (schema.format === 'date') return 'date';
  return schema.format === 'date-time' ? 'datetime' : 'text';
}

/** Whether an object can have properties with any name. */
function isOpen({ additionalProperties: open }: Schema): boolean {
  return typeof open === 'object' && open !== null;
}

function isNullable(schema: Schema): boolean {
  return typesOf(schema).includes('null') || [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(isNullable);
}

function typesOf(schema: Schema): readonly string[] {
  return typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
}
