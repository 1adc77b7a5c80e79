import { resolve } from '../src/component-references.ts';
import type { Action, Entity } from '../src/entity.ts';
import type { Operation, OperationKind } from '../src/operation.ts';
import { canonicalCollection } from './canonical-collection.ts';
import { fieldsOf } from './fields.ts';
import { flatten } from './flatten.ts';
import type { Body, Document, OperationNode, Schema } from './openapi.ts';
import type { Found } from './operations.ts';
import { referencesOf } from './references.ts';
import { checkViews, viewOf } from './views.ts';

/** An entity as it is in the generated file; `field` is created from `fields` when the file is loaded. */
export type EntityData = Omit<Entity, 'field'>;

/** All entities by name, that is, those that have a list. */
export function findEntities(document: Document, found: readonly Found[]): readonly EntityData[] {
  const listed = [...namesOfKind(found, 'list')].sort();
  const entities = new Set(listed);
  const made = listed.map((name) => {
    const collection = canonicalCollection(name, found);
    return {
      name,
      collection,
      table: collection.replaceAll('-', '_'),
      fields: fieldsOf(document, name, entities),
      requiredOnCreate: requiredOnCreate(document, name),
      actions: actionsOf(document, name, found),
      ...viewOf(document, name),
      ...(takesFile(document, name, found) && { holdsFile: true }),
    };
  });
  checkViews(made, namesOfKind(found, 'create'));
  return made;
}

/** Names of the entities that have an operation of this kind. */
function namesOfKind(found: readonly Found[], wanted: OperationKind): ReadonlySet<string> {
  return new Set(found.flatMap(({ operation: { kind, entity } }) => (kind === wanted && entity ? [entity] : [])));
}

function takesFile(document: Document, entity: string, found: readonly Found[]): boolean {
  return found.some(
    ({ operation, node }) =>
      operation.kind === 'create' &&
      operation.entity === entity &&
      resolve<Body>(document, node.requestBody ?? {}).content?.['multipart/form-data'] !== undefined,
  );
}

/**
 * Fields that the schema of a body requires. New and existing lines of a record have one schema: the fields that it requires of
 * a line without a key and a number are those of a new line.
 */
function requiredOnCreate(document: Document, entity: string): readonly string[] {
  const input = document.components.schemas?.[`${entity}Input`];
  if (!input) return [];
  const { required = [], if: condition, then: needs } = flatten(document, input) as ConditionalSchema;
  const isOfLine = condition?.not?.anyOf?.some((identified) => identified.required?.includes('line')) ?? false;
  return isOfLine ? [...required, ...(needs?.required ?? [])] : required;
}

interface ConditionalSchema extends Schema {
  readonly if?: { readonly not?: Schema };
  readonly then?: Schema;
}

/** Actions by name. If an older address has the same action, the newer operation is used. */
function actionsOf(document: Document, entity: string, found: readonly Found[]): readonly Action[] {
  const own = found.filter(({ operation }) => operation.kind === 'action' && operation.entity === entity);
  const newestLast = own.toSorted((a, b) => Number(b.operation.deprecated) - Number(a.operation.deprecated));
  const actions = new Map(
    newestLast.map(({ operation, node }) => [operation.action ?? '', action(document, operation, node)]),
  );
  return own.flatMap(({ operation }) => {
    const known = actions.get(operation.action ?? '');
    return known?.operationId === operation.id ? [known] : [];
  });
}

function action(document: Document, { id, action: name = '' }: Operation, node: OperationNode): Action {
  const { from, to } = node['x-transition'] ?? {};
  return { name, operationId: id, ...(from && { from }), ...(to && { to }), references: referencesOf(document, node) };
}
