import {
  type Action,
  type Entity,
  entities,
  entityOf,
  type Field,
  type Operation,
  type OperationId,
  type OperationKind,
  ServiceError,
} from '@unified/contract';
import { entityIn, type Scope, type TokenScope } from '@unified/store';
import { everything, type Narrow, type NarrowedEntity, outsideAccess } from '../query/token-access.ts';

type Doc = Readonly<Record<string, unknown>>;

/** What a token gives access to. */
export interface Limits {
  readonly scope: Scope;
  readonly narrow: Narrow;
}

/** Operations on records of several entities. Their handlers leave out what the token gives no access to. */
const OF_SEVERAL: ReadonlySet<string> = new Set<OperationId>([
  ...(['getCapability', 'listCapabilities', 'listChanges', 'getWorkOrderWrite', 'getWrite', 'listWrites'] as const),
  ...(['cancelWrite', 'compensateWrite', 'retryWrite', 'verifyWrite', 'runQuery'] as const),
]);

/** Operations on records of one entity that do not follow the conventions, so the document does not name their entity. */
const OF_ONE: ReadonlyMap<string, Entity> = new Map<OperationId, Entity>([
  ['putWorkOrderStatus', entities.WorkOrder],
  ['replaceFiscalCalendarByCode', entities.FiscalCalendar],
]);

/** Refuses an operation of a kind that the token does not allow. Throws `SERVICE_FORBIDDEN`. */
export function checkScopes(operation: Operation, scopes: readonly TokenScope[]): void {
  const needed = scopeOf(operation);
  if (scopes.includes(needed)) return;
  const message = `${REFUSED[needed]}: the token does not have the scope ${needed}. Use one that has it.`;
  throw new InsufficientScope(needed, message);
}

/** The error for an operation that requires a scope that the token does not have. */
export class InsufficientScope extends ServiceError {
  readonly scope: TokenScope;

  constructor(scope: TokenScope, message: string) {
    super('SERVICE_FORBIDDEN', message);
    this.scope = scope;
  }
}

const REFUSED: Readonly<Record<TokenScope, string>> = {
  read: 'GET requests and queries are not allowed',
  write: 'Only GET requests and queries are allowed',
  passthrough: 'Calls of the connected system are not allowed',
};

/** A query only reads, although its statement is sent with POST. */
function scopeOf({ id, method }: Operation): TokenScope {
  if (id === 'sendPassthrough') return 'passthrough';
  return method === 'get' || id === 'runQuery' ? 'read' : 'write';
}

/** Kinds of operations whose body is a whole record. */
const WHOLE: ReadonlySet<string> = new Set<OperationKind>(['create', 'createMany', 'replace']);

/**
 * Refuses an operation that the token gives no access to: an operation on another entity, and any operation that is not limited
 * to entities, such as a sync. A delete and an action concern all fields of a record, so the token needs access to all of them;
 * a create and a replacement need access to the fields that their body must have. Throws `SERVICE_FORBIDDEN`.
 */
export function checkAccess(operation: Operation, limits: Limits): void {
  const missing = missingFor(operation, limits);
  if (missing !== undefined) throw outsideAccess(missing);
}

/** Whether a token with these scopes and limits can call an operation: neither of the checks above refuses it. */
export function canCall(operation: Operation, scopes: readonly TokenScope[], limits: Limits): boolean {
  return scopes.includes(scopeOf(operation)) && missingFor(operation, limits) === undefined;
}

/** What an operation needs that the token gives no access to; undefined if there is nothing. */
function missingFor({ id, entity, kind }: Operation, { scope, narrow }: Limits): string | undefined {
  if (narrow === everything || OF_SEVERAL.has(id)) return undefined;
  const concerned = entity === undefined ? OF_ONE.get(id) : entityIn(scope, entity);
  if (!concerned) return `the operation ${id}`;
  const { name } = concerned;
  const narrowed = narrow(concerned);
  if (!narrowed) return `the entity ${name}`;
  const concernsAll = kind === 'delete' || kind === 'action' || id === 'putWorkOrderStatus';
  if (narrowed.lacksFields && concernsAll) return `all fields of ${name}`;
  const isWhole = WHOLE.has(kind) || id === 'replaceFiscalCalendarByCode';
  const hidden = isWhole && concerned.requiredOnCreate.find((each) => !narrowed.field[each]);
  return hidden ? `the field ${hidden} of ${name}, which this operation needs` : undefined;
}

/** The entity as far as the token allows its use. Throws `SERVICE_FORBIDDEN`. */
export function narrowedEntity(entity: Entity, narrow: Narrow): NarrowedEntity {
  const narrowed = narrow(entity);
  if (narrowed) return narrowed;
  throw outsideAccess(`the entity ${entity.name}`);
}

/**
 * Refuses a body with a field that the token gives no access to. Also refuses references that identify a record of an
 * inaccessible entity by anything but its id, or any record by a label that the token hides: whether such a record is found
 * would reveal its values. Throws `SERVICE_FORBIDDEN`.
 */
export function checkFields(entity: Entity, narrow: Narrow, body: Doc): void {
  if (narrow === everything) return;
  const narrowed = narrowedEntity(entity, narrow);
  for (const [name, value] of Object.entries(body)) {
    const field = entity.field[name];
    if (field && !narrowed.field[name]) throw outsideAccess(`the field ${name} of ${entity.name}`);
    if (field) checkValue(field, narrow, value);
  }
}

function checkValue({ name, targets = [], holdsLines, fields = [] }: Field, narrow: Narrow, value: unknown): void {
  for (const each of objectsIn(value)) {
    if (!holdsLines) checkReference(name, targets, narrow, each);
    for (const target of holdsLines ? targets : []) {
      const line = entityOf(target);
      if (line) checkFields(line, narrow, each);
    }
    for (const inner of fields) checkValue(inner, narrow, each[inner.name]);
  }
}

/** The same for the references in the body of an action. */
export function checkActionReferences(entity: Entity, action: string, narrow: Narrow, body: Doc): void {
  if (narrow === everything) return;
  const { references = {} }: Partial<Action> = entity.actions.find(({ name }) => name === action) ?? {};
  for (const [path, targets] of Object.entries(references)) {
    const found = path.split('.').reduce((objects, name) => objects.flatMap((each) => objectsIn(each[name])), [body]);
    for (const each of found) checkReference(path, targets, narrow, each);
  }
}

function checkReference(name: string, targets: readonly string[], narrow: Narrow, reference: Doc): void {
  if (typeof reference.id === 'string') return;
  const known = targets.flatMap((target) => entityOf(target) ?? []);
  const outside = known.find((entity) => !narrow(entity))?.name;
  if (outside !== undefined) throw outsideAccess(`the entity ${outside}, so references to it in ${name} need an id`);
  const hidden = known.find((entity) => narrow(entity)?.hidesLabel)?.name;
  if (hidden === undefined || typeof reference._idValue === 'string') return;
  throw outsideAccess(`the labels of ${hidden}, so references to it in ${name} need an id or _idValue`);
}

function objectsIn(value: unknown): Doc[] {
  return [value].flat().filter((each): each is Doc => typeof each === 'object' && each !== null);
}
