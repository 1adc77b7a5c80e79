import { type Action, clientDocument, type Entity, type Field, operations } from '@unified/contract';
import type { ActionForm, EntityFacts, ReadField, WriteForm } from '../src/contract/entity-facts.ts';
import { formFields } from './form-fields.ts';
import { type Components, merged, type Schema } from './merged-schema.ts';

interface DocumentedOperation {
  readonly summary: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const document = clientDocument() as unknown as {
  readonly components: { readonly schemas: Components };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
};
const { schemas } = document.components;

const EQUALITY = ['eq', 'neq', 'in'];
const ORDER = [...EQUALITY, 'gt', 'gte', 'lt', 'lte'];
/** Operators of the filters of a kind; other kinds have none. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  text: ['contains', ...ORDER, 'startsWith', 'endsWith'],
  number: ORDER,
  integer: ORDER,
  date: ORDER,
  datetime: ORDER,
  boolean: ['eq', 'neq'],
  enum: EQUALITY,
  relation: EQUALITY,
  relations: EQUALITY,
  texts: EQUALITY,
};
const SORTABLE = ['text', 'number', 'integer', 'boolean', 'date', 'datetime', 'enum'];

/** What the pages of an entity need of the document. */
export function entityFacts(entity: Entity): EntityFacts {
  const { name, fields, actions } = entity;
  const { properties = {} } = merged(schemas[name] ?? {}, schemas);
  const create = writeForm(entity, 'create');
  const update = writeForm(entity, 'update');
  return {
    name,
    fields: fields.map((field) => readField(field, properties[field.name])),
    ...(create && { create }),
    ...(update && { update }),
    actions: actions.flatMap((action) => actionForm(entity, action)),
  };
}

function readField({ name, kind, nullable, values, targets }: Field, schema: Schema | undefined): ReadField {
  return {
    ...{ name, kind, nullable, description: schema?.description ?? '' },
    ...(values && { values }),
    ...(targets && { targets }),
    operators: OPERATORS[kind] ?? [],
    sortable: SORTABLE.includes(kind),
  };
}

function writeForm(entity: Entity, kind: 'create' | 'update'): WriteForm | undefined {
  const operation = operations.find((each) => each.entity === entity.name && each.kind === kind && !each.deprecated);
  return operation && formOf(operation.id, entity.field);
}

function actionForm(entity: Entity, { name, operationId, from, references }: Action): ActionForm[] {
  const form = formOf(operationId, entity.field, references);
  return form ? [{ ...form, name, ...(from && { from }) }] : [];
}

function formOf(
  operationId: string,
  known: Readonly<Record<string, Field>>,
  references: Readonly<Record<string, readonly string[]>> = {},
): WriteForm | undefined {
  const operation = operations.find(({ id }) => id === operationId);
  const documented = operation && document.paths[operation.path]?.[operation.method];
  if (!documented) return undefined;
  const schema = documented.requestBody?.content['application/json']?.schema;
  const targetsOf = (name: string) => references[name] ?? known[name]?.targets;
  const fields = schema ? formFields(schema, schemas, targetsOf) : [];
  return { operationId, title: documented.summary, description: documented.description ?? '', fields };
}
