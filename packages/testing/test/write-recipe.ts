import type { Platform } from '@unified/connectors';
import { type Operation, operations, WRITES } from '@unified/contract';

export type Row = Readonly<Record<string, unknown>>;
type Op = (typeof WRITES)[number] | 'action';

/** A write that a platform maps. */
export interface MappedWrite {
  /** `PurchaseOrder create`, `PurchaseOrder approve`. */
  readonly name: string;
  readonly entity: string;
  readonly op: Op;
  /** Name of the action; null for other writes. */
  readonly action: string | null;
}

/** A request, and what the system then has, read by its own interface. */
export interface Effect {
  readonly body?: Row;
  /**
   * What the request changes, matched like `toMatchObject`: no field of the record has this value before. Null if the system must
   * have no such record.
   */
  readonly found: Row | null;
  /** What the request does not change: the record has it before and after. */
  readonly kept?: Row;
  /** Fields that the system does not store as they are sent, in the order of the warnings; none by default. */
  readonly warned?: readonly string[];
  /** Actions that lead the record to the state in which the request is allowed. */
  readonly after?: readonly string[];
}

/** How the writes of an entity are carried out, and where the system shows their effects. */
export interface Recipe {
  /** Reads a record by the interface of the system, without the driver; null if there is none. */
  find(key: string): Promise<Row | null>;
  /** The keys of all records that the system has: that of a create must be new. Absent if the system cannot list them. */
  keys?(): Promise<readonly string[]>;
  /** Called once per record, so that codes can differ. */
  readonly create?: () => Effect;
  /** Other creates, with fields that exclude some of the first one. */
  readonly variants?: readonly (() => Effect)[];
  readonly update?: () => Effect;
  readonly replace?: () => Effect;
  readonly delete?: () => Effect;
  readonly actions?: Readonly<Record<string, () => Effect>>;
  /** The view by which the API offers writes that it does not offer for the entity. */
  readonly view?: string;
  /** Keys of records that the system had before, by the action or write for which each is used instead of a new one. */
  readonly existing?: Readonly<Record<string, string>>;
}

/** A recipe for each entity that is written, by its name. */
export type Recipes = Readonly<Record<string, Recipe>>;

/** All writes that the mappings of a platform define, whether the API has an operation for them or not. */
export function mappedWrites({ mappings }: Platform): MappedWrite[] {
  return Object.values(mappings).flatMap(({ entity, writes, actions }) => [
    ...WRITES.filter((op) => writes.has(op)).map((op) => ({ name: `${entity} ${op}`, entity, op, action: null })),
    ...Object.keys(actions).map((action) => actionOf(entity, action)),
  ]);
}

export function actionOf(entity: string, action: string): MappedWrite {
  return { name: `${entity} ${action}`, entity, op: 'action', action };
}

/** The operation of the API that requests a write of an entity, or of a view of it. */
export function operationOf(
  { entity, op, action }: MappedWrite,
  { view }: Pick<Recipe, 'view'>,
): Operation | undefined {
  const named = (name: string | undefined) =>
    operations.find(
      (each) =>
        each.surface === 'data' &&
        each.version === undefined &&
        each.entity === name &&
        each.kind === op &&
        (each.action ?? null) === action,
    );
  return named(entity) ?? (view === undefined ? undefined : named(view));
}
