import type { EntityName, Filter, Sort } from './conditions.ts';
import type { EntityRecord, Expandable } from './entity-record.ts';
import type { components, operations } from './generated/types.ts';
import type { LeftOut } from './left-out.ts';
import type { ConditionalList, RecordList } from './record-list.ts';

type WriteRecordSchema = components['schemas']['WriteRecord'];

/** A write record. `status` is open: a newer server may return a state that is not listed. */
export interface WriteRecord extends WriteRecordSchema {}

export interface CallOptions {
  /** Cancels the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface SendOptions extends CallOptions {
  /** Idempotency key of the call, the same for all attempts. Generated automatically if omitted. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Refuses fields and values that the connected system does not support with `SERVICE_FIELD_NOT_SUPPORTED`. By default, they are
   * not sent, and the write record has a warning for each.
   */
  readonly strict?: boolean | undefined;
}

export interface ActionOptions extends SendOptions {
  /** Seconds, up to 30, that the server may wait for the outcome before it responds. */
  readonly wait?: number | undefined;
  /** Returns the steps that the write would take; nothing is sent or stored. */
  readonly dryRun?: boolean | undefined;
}

/** An option of writes of existing records. */
export interface IfMatch {
  /**
   * `etagOf` the record as it was read: if it has changed since, the write fails with `SERVICE_PRECONDITION_FAILED`. If it
   * is present but undefined, the call rejects with a `TypeError`, and nothing is sent.
   */
  readonly ifMatch?: string | undefined;
}

/** Options of actions on one record. */
export interface ActOptions extends ActionOptions, IfMatch {}

/** The write record of a write that was executed. */
export interface Written {
  readonly writeId: string;
  /** Number of its warnings: fields whose value in the connected system differs from the one sent. */
  readonly warnings: number;
}

/** `Later` is true if the call returns the write record instead of the outcome. */
export interface WriteOptions<Later extends boolean = boolean> extends SendOptions {
  /** Seconds, up to 30, that the server may wait for the outcome before the client begins to poll for it. */
  readonly wait?: number | undefined;
  /** Returns the write record immediately. */
  readonly respondAsync?: Later | undefined;
  /** Returns a write record with the steps that the write would take; nothing is sent or stored. */
  readonly dryRun?: Later | undefined;
  /** Milliseconds to wait for the outcome in total; by default the `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called with the write record's id; the call awaits it before it returns. Not called if the call returns the write
   * record itself, or for an error, which has a `writeId`.
   */
  readonly onWrite?: ((written: Written) => void | Promise<void>) | undefined;
}

/**
 * Lists the records of an entity: await it for the first page, or iterate over all records. With `ifNoneMatch`, the page is
 * undefined if it is unchanged.
 */
export type List<Name extends EntityName> = <
  const Expand extends Expandable<Name> = never,
  const Tag extends string | undefined = undefined,
>(
  options?: ListOptions<Name, Expand, Tag>,
) => [Tag] extends [undefined] ? RecordList<EntityRecord<Name, Expand>> : ConditionalList<EntityRecord<Name, Expand>>;

/** Options of updates, replacements and deletes. */
export interface ChangeOptions<Later extends boolean = boolean> extends WriteOptions<Later>, IfMatch {}

/** Options for the shape of the returned records. */
export interface RecordOptions<Name extends EntityName, Expand> extends CallOptions {
  /** Relations to return as full records instead of references. */
  readonly expand?: readonly Expand[] | undefined;
  /** `externalValues` adds the values of the records in data mappings, `lineage` where the value of each field comes from. */
  readonly extend?: readonly ('externalValues' | 'lineage')[] | undefined;
  /** Fields to return in addition to the required ones and the expanded relations. The type of the records does not change. */
  readonly fields?: readonly (keyof components['schemas'][Name] & string)[] | undefined;
}

/** Options of `get`. */
export interface GetOptions<Name extends EntityName, Expand, Tag> extends RecordOptions<Name, Expand> {
  /** `etagOf` a record that was read before: if it has not changed since, the call returns undefined. */
  readonly ifNoneMatch?: Tag;
}

type Paging = Pick<
  QueryOf<operations['listVendors']>,
  'page' | 'per_page' | 'cursor' | 'modified_after' | 'with_total'
>;

/** Options of the lists of all entities. */
export interface ListOptions<Name extends EntityName, Expand = never, Tag = undefined>
  extends RecordOptions<Name, Expand>,
    Paging {
  /** Conditions that all returned records meet. */
  readonly filter?: Filter<Name> | undefined;
  /** One field or several, in order of precedence. */
  readonly sort?: Sort<Name> | readonly Sort<Name>[] | undefined;
  /** `etagOf` the first page of the same list: if it is unchanged, the awaited list is undefined. */
  readonly ifNoneMatch?: Tag;
}

/** Lists objects that are not entities, such as write records. */
export type ListOf<Operation> = (options?: QueryOf<Operation> & CallOptions) => ListedBy<ResponseOf<Operation>>;

/** Returns a record of an entity by its id; undefined if it is still the one with the tag in `ifNoneMatch`. */
export type Get<Name extends EntityName> = <
  const Expand extends Expandable<Name> = never,
  const Tag extends string | undefined = undefined,
>(
  id: string,
  options?: GetOptions<Name, Expand, Tag>,
) => Promise<EntityRecord<Name, Expand> | (Tag extends string ? undefined : never)>;

export type GetOf<Operation> = (
  id: string,
  options?: QueryOf<Operation> & CallOptions,
) => Promise<Unwrapped<ResponseOf<Operation>>>;

/** Creates a record and returns it when the connected system has created it. */
export type Create<Body, Name extends EntityName> = <Later extends boolean = false>(
  body: Body,
  options?: WriteOptions<Later>,
) => Promise<Outcome<Later, EntityRecord<Name>>>;

/** The outcome of one record of a batch. */
export interface BatchItem<Name extends EntityName>
  extends Omit<ItemOf<ResponseOf<operations['createMeterReadings']>>, 'record'> {
  readonly record: EntityRecord<Name> | null;
}

/** Creates several records, all accepted or none, and returns the outcome of each. */
export type CreateMany<Body, Name extends EntityName> = (
  body: Body,
  options?: ActionOptions,
) => Promise<BatchItem<Name>[]>;

/** Changes a record and returns it when the connected system has applied the change. */
export type Change<Body, Name extends EntityName> = <Later extends boolean = false>(
  id: string,
  body: Body,
  options?: ChangeOptions<Later>,
) => Promise<Outcome<Later, EntityRecord<Name>>>;

/** Deletes a record and returns when the connected system has deleted it. */
export type Delete = <Later extends boolean = false>(
  id: string,
  options?: ChangeOptions<Later>,
) => Promise<Outcome<Later, void>>;

/** Acts on one record. An action on an entity is queued, and the call returns its write record. */
export type Act<Operation, Body = never> = Operation extends { requestBody: object }
  ? (id: string, body: Body, options?: ActOptions) => Promise<ActedOn<Operation>>
  : [Body] extends [never]
    ? (id: string, options?: ActOptions) => Promise<ActedOn<Operation>>
    : (id: string, body?: Body, options?: ActOptions) => Promise<ActedOn<Operation>>;

/** Sends a body to a collection, outside the conventions for records. */
export type Send<Operation, Body> = (body: Body, options?: ActionOptions) => Promise<Unwrapped<ResponseOf<Operation>>>;

type Outcome<Later extends boolean, Settled> = Later extends true ? WriteRecord : Settled;

/** A write record by name, which is shown in editors instead of all its properties. */
type ActedOn<Operation> =
  ResponseOf<Operation> extends WriteRecordSchema ? WriteRecord : Unwrapped<ResponseOf<Operation>>;

type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? LeftOut<NonNullable<Query>>
  : object;

/** The JSON body of an operation. */
export type BodyOf<Operation> = Operation extends { requestBody?: infer Body } ? JsonOf<NonNullable<Body>> : never;

type JsonOf<Body> = Body extends { content: { 'application/json': infer Json } } ? Json : never;

type ResponseOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201)]: JsonOf<Responses[Status]> }[keyof Responses &
      (200 | 201)] extends infer Json
    ? [Json] extends [never]
      ? Responses extends { 202: infer Accepted }
        ? JsonOf<Accepted>
        : undefined
      : Json
    : never
  : never;

type Unwrapped<Body> = Body extends { data: infer Data } ? Data : Body;
type ItemOf<Body> = Body extends { data: readonly (infer Item)[] } ? Item : never;
type ListedBy<Body> = Body extends { data: readonly (infer Item)[]; meta: infer Meta }
  ? RecordList<Item extends WriteRecordSchema ? WriteRecord : Item, Meta>
  : Promise<Unwrapped<Body>>;
