import { AVAILABLE_ACTIONS } from '../src/allowed-actions.ts';
import type { Field, FieldKind } from '../src/entity.ts';
import { flatten } from './flatten.ts';
import { type Document, nameOf, resolve, type Schema } from './openapi.ts';

/** Fields of an entity in the order of the document, the common ones first. */
export function fieldsOf(document: Document, entity: string, entities: ReadonlySet<string>): readonly Field[] {
  const schemas = document.components.schemas ?? {};
  const returned = flatten(document, { $ref: `#/components/schemas/${entity}` });
  const writable = new Set(
    [`${entity}Patch`, `${entity}Input`].flatMap((name) => {
      const sent = schemas[name];
      return sent ? Object.keys(flatten(document, sent).properties ?? {}) : [];
    }),
  );
  return Object.entries(returned.properties ?? {}).map(([name, schema]) => ({
    name,
    nullable: isNullable(resolve<Schema>(document, schema)),
    required: returned.required?.includes(name) ?? false,
    writable: writable.has(name),
    // It follows from the state, by which lists are filtered.
    ...(name === AVAILABLE_ACTIONS ? { kind: 'objects' } : kindOf(document, schema, entities)),
  }));
}

type Kind = Pick<Field, 'kind' | 'values' | 'targets'>;

function kindOf(document: Document, node: Schema, entities: ReadonlySet<string>): Kind {
  const schema = resolve<Schema>(document, node);
  const targets = targetsOf(schema, entities);
  if (targets) return { kind: 'relation', targets };
  if (schema.items) return { ...listKind(document, schema.items, entities) };
  const [only, ...others] = (schema.anyOf ?? schema.oneOf ?? []).filter((branch) => branch.type !== 'null');
  if (only && others.length === 0) return kindOf(document, only, entities);
  const values = schema.enum?.filter((value) => typeof value === 'string');
  if (values && values.length > 0) return { kind: 'enum', values };
  return { kind: plainKind(schema) };
}

function listKind(document: Document, node: Schema, entities: ReadonlySet<string>): Kind {
  const item = resolve<Schema>(document, node);
  const targets = node.$ref && nameOf(node.$ref) === 'Relation' ? [] : targetsOf(item, entities);
  if (targets) return { kind: 'relations', targets };
  return { kind: typesOf(item).includes('string') ? 'texts' : 'objects' };
}

/** Entities that a reference may point to; undefined where the schema holds no reference. */
function targetsOf(schema: Schema, entities: ReadonlySet<string>): readonly string[] | undefined {
  const names = (schema.anyOf ?? []).flatMap(({ $ref }) => ($ref ? [nameOf($ref)] : []));
  return names.includes('Relation') ? names.filter((name) => entities.has(name)) : undefined;
}

function plainKind(schema: Schema): FieldKind {
  const [type] = typesOf(schema).filter((name) => name !== 'null');
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  if (type !== 'string') return 'object';
  if (schema.format === 'date') return 'date';
  return schema.format === 'date-time' ? 'datetime' : 'text';
}

function isNullable(schema: Schema): boolean {
  return typesOf(schema).includes('null') || [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(isNullable);
}

function typesOf(schema: Schema): readonly string[] {
  return typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
}
