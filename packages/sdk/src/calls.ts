import type { EntityName, Filter, Sort } from './conditions.ts';
import type { EntityRecord, Expandable } from './entity-record.ts';
import type { components, operations } from './generated/types.ts';
import type { RecordList } from './record-list.ts';

type WriteRecordSchema = components['schemas']['WriteRecord'];

/** What became of a write. `status` is open: a newer server may answer with a state that is not listed. */
export interface WriteRecord extends WriteRecordSchema {}

export interface CallOptions {
  /** Gives the call up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface SendOptions extends CallOptions {
  /** Names this one intention; made by itself when absent, and the same over all tries. */
  readonly idempotencyKey?: string | undefined;
}

export interface ActionOptions extends SendOptions {
  /** Seconds, up to 30, that the server may wait for the outcome before it answers. */
  readonly wait?: number | undefined;
  /** Answers the steps that the write would take; sends and stores nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Which write record tells more of a write that was carried out. */
export interface Written {
  readonly writeId: string;
  /** How many warnings it has: fields that the connected system does not hold as they were sent. */
  readonly warnings: number;
}

/** `Later` is true when the answer is the write record instead of the outcome. */
export interface WriteOptions<Later extends boolean = boolean> extends SendOptions {
  /** Seconds, up to 30, that the server may wait for the outcome before the client begins to ask for it. */
  readonly wait?: number | undefined;
  /** Answers at once with the write record. */
  readonly respondAsync?: Later | undefined;
  /** Answers a write record with the steps that the write would take; sends and stores nothing. */
  readonly dryRun?: Later | undefined;
  /** Milliseconds that the outcome is waited for in all; as for the client, 60 000, when absent. */
  readonly timeoutMs?: number | undefined;
  /**
   * Hears which write record it was, before the call answers and awaited by it. Not called where the answer is the write
   * record itself, or an error: that has a `writeId`.
   */
  readonly onWrite?: ((written: Written) => void | Promise<void>) | undefined;
}

/** Lists the records of an entity: await it for the first page, or iterate over all records. */
export type List<Name extends EntityName> = <const Expand extends Expandable<Name> = never>(
  options?: ListOptions<Name, Expand>,
) => RecordList<EntityRecord<Name, Expand>>;

/** How the records to read shall look. */
export interface RecordOptions<Name extends EntityName, Expand> extends CallOptions {
  /** Relations that shall hold full records instead of references. */
  readonly expand?: readonly Expand[] | undefined;
  /** All that a record shall hold besides `id` and what is expanded; the type of the records does not follow. */
  readonly fields?: readonly (keyof components['schemas'][Name] & string)[] | undefined;
}

type Paging = Pick<
  QueryOf<operations['listVendors']>,
  'page' | 'per_page' | 'cursor' | 'modified_after' | 'with_total'
>;

/** What lists of all entities take. */
export interface ListOptions<Name extends EntityName, Expand = never> extends RecordOptions<Name, Expand>, Paging {
  /** Conditions that every record meets. */
  readonly filter?: Filter<Name> | undefined;
  /** One field or several, the first one deciding. */
  readonly sort?: Sort<Name> | readonly Sort<Name>[] | undefined;
}

/** Lists what is no entity, such as write records. */
export type ListOf<Operation> = (options?: QueryOf<Operation> & CallOptions) => ListedBy<AnswerOf<Operation>>;

/** Gets a record of an entity by its id. */
export type Get<Name extends EntityName> = <const Expand extends Expandable<Name> = never>(
  id: string,
  options?: RecordOptions<Name, Expand>,
) => Promise<EntityRecord<Name, Expand>>;

export type GetOf<Operation> = (
  id: string,
  options?: QueryOf<Operation> & CallOptions,
) => Promise<Unwrapped<AnswerOf<Operation>>>;

/** Creates a record and answers it once the connected system has it. */
export type Create<Operation, Name extends EntityName> = <Later extends boolean = false>(
  body: BodyOf<Operation>,
  options?: WriteOptions<Later>,
) => Promise<Outcome<Later, EntityRecord<Name>>>;

/** Creates several records, all or none accepted, and answers what became of each. */
export type CreateMany<Operation, Name extends EntityName> = (
  body: BodyOf<Operation>,
  options?: ActionOptions,
) => Promise<(Omit<ItemOf<AnswerOf<Operation>>, 'record'> & { record: EntityRecord<Name> | null })[]>;

/** Changes a record and answers it once the connected system has the change. */
export type Change<Operation, Name extends EntityName> = <Later extends boolean = false>(
  id: string,
  body: BodyOf<Operation>,
  options?: WriteOptions<Later>,
) => Promise<Outcome<Later, EntityRecord<Name>>>;

/** Deletes a record and answers once the connected system has done so. */
export type Delete = <Later extends boolean = false>(
  id: string,
  options?: WriteOptions<Later>,
) => Promise<Outcome<Later, void>>;

/** Does something to one record. An action on an entity is queued and answers its write record. */
export type Act<Operation> = Operation extends { requestBody: object }
  ? (id: string, body: BodyOf<Operation>, options?: ActionOptions) => Promise<ActedOn<Operation>>
  : [BodyOf<Operation>] extends [never]
    ? (id: string, options?: ActionOptions) => Promise<ActedOn<Operation>>
    : (id: string, body?: BodyOf<Operation>, options?: ActionOptions) => Promise<ActedOn<Operation>>;

/** Sends something to a collection. */
export type Send<Operation> = (
  body: BodyOf<Operation>,
  options?: ActionOptions,
) => Promise<Unwrapped<AnswerOf<Operation>>>;

type Outcome<Later extends boolean, Settled> = Later extends true ? WriteRecord : Settled;

/** A write record under its name, which reads better than all its properties. */
type ActedOn<Operation> = AnswerOf<Operation> extends WriteRecordSchema ? WriteRecord : Unwrapped<AnswerOf<Operation>>;

type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? NonNullable<Query> : object;

type BodyOf<Operation> = Operation extends { requestBody?: infer Body } ? JsonOf<NonNullable<Body>> : never;

type JsonOf<Body> = Body extends { content: { 'application/json': infer Json } } ? Json : never;

type AnswerOf<Operation> = Operation extends { responses: infer Responses }
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
  ? RecordList<Item, Meta>
  : Promise<Unwrapped<Body>>;
