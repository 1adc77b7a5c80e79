import { clearedInput, type Entity, ServiceError, spokenName, type ViewMember } from '@unified/contract';
import { checkVersion, entityIn, find, type Scope, type WriteOp } from '@unified/store';
import type { NarrowedEntity } from '../query/token-access.ts';
import { requestError } from '../request-error.ts';
import type { DataContext } from './context.ts';
import { checkLineNumbers } from './line-numbers.ts';
import { narrowedEntity } from './token-limits.ts';
import { checkViewFields } from './view-fields.ts';

/** The fields of a record that handlers use. */
export interface KnownRecord {
  readonly id: string;
  readonly _deletedAt: string | null;
  readonly statusCategory?: string;
}

/** The entity of an operation, as far as the token allows its use. Throws `SERVICE_FORBIDDEN`. */
export function entityOfOperation({ operation, scope, narrow }: AddressedContext): NarrowedEntity {
  return narrowedEntity(entityIn(scope, operation.entity ?? ''), narrow);
}

type AddressedContext = Pick<DataContext, 'operation' | 'scope' | 'narrow'>;

/** JSON text of a record. Throws the same `SERVICE_NOT_FOUND` for an unknown id and for a record of another connection. */
export async function recordText(scope: Scope, entity: Entity, id: string): Promise<string> {
  const text = await find(scope, entity, id);
  if (text === undefined)
    throw new ServiceError('SERVICE_NOT_FOUND', `This connection has no ${spokenName(entity.name)} with this id.`);
  return text;
}

/**
 * A record to be written. Throws `SERVICE_NOT_FOUND`, `SERVICE_RECORD_DELETED` when it is deleted, and
 * `SERVICE_PRECONDITION_FAILED` when it has none of the hashes in `ifMatch`.
 */
export async function writableRecord(
  scope: Scope,
  entity: Entity,
  id: string,
  ifMatch?: readonly string[],
): Promise<KnownRecord> {
  const text = await recordText(scope, entity, id);
  const record: KnownRecord = JSON.parse(text);
  if (record._deletedAt !== null) {
    const message = `This ${spokenName(entity.name)} was deleted in the connected system. Stop using it.`;
    throw new ServiceError('SERVICE_RECORD_DELETED', message, { details: [{ id, deletedAt: record._deletedAt }] });
  }
  if (ifMatch) checkVersion(entity.name, text, ifMatch);
  return record;
}

type Input = Readonly<Record<string, unknown>>;

/** The entity that a write at an entity's address applies to: the entity itself or, for a view, one of its members. */
export interface StoredEntity {
  readonly entity: Entity;
  /** Values that a record must have for the view to show it; empty for the entity itself. */
  readonly where: ViewMember['where'];
}

/**
 * The entity of a new record, determined from its body. Throws `SERVICE_INVALID_BODY` for a record that the view would not show
 * or, at the address of the entity itself, for fields that the view that shows the record does not have.
 */
export function entityToCreate(scope: Scope, entity: Entity, body: Input): StoredEntity {
  if (!entity.view) {
    checkViewFields(scope.entities, entity, body);
    return { entity, where: {} };
  }
  const [only, ...others] = entity.view;
  const member = others.length === 0 ? only : entity.view.find(({ where }) => holds(body, where));
  if (!member)
    throw refused(
      Object.keys(only?.where ?? {})[0] ?? '',
      entity.view.flatMap(({ where }) => Object.values(where)),
    );
  return storedAs(scope, member);
}

/** The entity that a record belongs to. Throws `SERVICE_NOT_FOUND` if this depends on the record and there is none. */
export async function entityOfRecord(scope: Scope, entity: Entity, id: string): Promise<StoredEntity> {
  const [only, ...others] = entity.view ?? [];
  if (!only) return { entity, where: {} };
  if (others.length === 0) return storedAs(scope, only);
  const { _implements } = JSON.parse(await recordText(scope, entity, id)) as {
    readonly _implements: readonly string[];
  };
  const member = entity.view?.find((each) => _implements.includes(each.entity));
  if (!member) throw new Error(`${entity.name} contains ${id}, which is not one of its members.`);
  return storedAs(scope, member);
}

/**
 * The input of a write whose body was sent to the address of `addressed`: for a PUT all writable fields, and for a create or a
 * PUT the values that make the view show the record. Throws `SERVICE_INVALID_BODY` if the body has other values for these, or
 * two lines with the same number.
 */
export function inputOf(addressed: Entity, { entity, where }: StoredEntity, op: WriteOp, body: Input): Input {
  checkLineNumbers(addressed, body);
  const values = Object.entries(where);
  const other = values.find(([name, value]) => Object.hasOwn(body, name) && body[name] !== value);
  if (other) throw refused(other[0], [other[1]]);
  const input: Record<string, unknown> = { ...(op === 'replace' ? clearedInput(addressed, body) : body) };
  for (const [name, value] of values) {
    if (!entity.field[name]?.writable) delete input[name];
    else if (op === 'create' || op === 'replace') input[name] = value;
  }
  return input;
}

function storedAs(scope: Scope, { entity, where }: ViewMember): StoredEntity {
  return { entity: entityIn(scope, entity), where };
}

function holds(body: Input, where: ViewMember['where']): boolean {
  return Object.entries(where).every(([name, value]) => body[name] === value);
}

function refused(name: string, values: readonly (string | boolean)[]): ServiceError {
  const message = `At this address it is ${values.join(' or ')}. Send that, or use the address of the other kind.`;
  return requestError('SERVICE_INVALID_BODY', `body/${name}`, message);
}
