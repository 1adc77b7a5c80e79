import type { operations as OperationTypes } from '../generated/types.ts';
import type { OperationKind, Surface } from './operation.ts';
import type { CredentialOf, OperationId, OperationIdOf, SurfaceOf } from './operations.ts';

/** Rendered JSON, such as a page of stored documents, as text or as UTF-8 bytes; `T` is the type of its value. */
export interface Json<T> {
  readonly json: string | Uint8Array;
  /** Never present; it distinguishes texts of different types for the compiler. */
  readonly _type?: T;
}

/** The request of an operation after the check, with defaults, and with numbers and booleans converted from text. */
export interface RequestOf<Operation> {
  readonly path: Part<Operation, 'path'>;
  readonly query: Part<Operation, 'query'>;
  /** Documented headers, spelled as in the document: `Idempotency-Key`. */
  readonly headers: Part<Operation, 'header'>;
  readonly body: BodyOf<Operation>;
}

/** The response of an operation: one of its documented successes and redirections. Errors are thrown. */
export type ResponseOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in SuccessOf<Responses>]: ResponseWith<Status, Responses[Status]> }[SuccessOf<Responses>]
  : never;

export type Request<K extends OperationId> = RequestOf<OperationTypes[K]>;
export type Response<K extends OperationId> = ResponseOf<OperationTypes[K]>;
export type Handler<K extends OperationId, Context> = (request: Request<K>, context: Context) => Promise<Response<K>>;

/** Operations of a surface. */
export type OperationIdIn<S extends Surface> = { [K in OperationId]: SurfaceOf<K> extends S ? K : never }[OperationId];

/** Kinds of credentials that the operations of a surface accept. */
export type CredentialIn<S extends Surface> = CredentialOf<OperationIdIn<S>>;

/** Operations that follow the conventions: one generic handler per kind serves them for all entities. */
export type ConventionalId = OperationIdOf<Exclude<OperationKind, 'other'>>;

/**
 * The handlers written by hand: one for each operation that does not follow the conventions, and those that replace a
 * conventional one. A missing or additional handler does not compile, nor does one that expects the context of another surface.
 * `Contexts` contains the context of each surface.
 */
export type OwnHandlers<Contexts extends Readonly<Record<Surface, unknown>>> = {
  readonly [S in Surface]: HandlersOf<Exclude<OperationIdIn<S>, ConventionalId>, Contexts[S]> &
    Partial<HandlersOf<Extract<OperationIdIn<S>, ConventionalId>, Contexts[S]>>;
};

type HandlersOf<K extends OperationId, Context> = { readonly [Id in K]: Handler<Id, Context> };

type Empty = Readonly<Record<never, never>>;

type Part<Operation, Place extends string> = Operation extends { parameters: infer Parameters }
  ? Place extends keyof Parameters
    ? [NonNullable<Parameters[Place]>] extends [never]
      ? Empty
      : Readonly<NonNullable<Parameters[Place]>>
    : Empty
  : Empty;

type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : Operation extends { requestBody?: infer Body }
    ? [NonNullable<Body>] extends [never]
      ? undefined
      : NonNullable<Body> extends { content: infer Content }
        ? Content[keyof Content] | undefined
        : undefined
    : undefined;

type SuccessOf<Responses> = Extract<keyof Responses, 200 | 201 | 202 | 204 | 206 | 301 | 302 | 303 | 304 | 307 | 308>;

type ResponseWith<Status, Described> = {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
} & (Described extends {
  content: infer Content;
}
  ? { [Type in keyof Content]: ContentOf<Type, Content[Type]> }[keyof Content]
  : { readonly body?: undefined });

/** Texts of a stream that pauses, such as server-sent events. */
export interface Events {
  readonly events: AsyncIterable<string>;
}

/**
 * JSON needs no media type; any other body has a `type` and is sent as is. Bodies of any type, and JSON lines, are streams of
 * bytes; so are large comma-separated values.
 */
type ContentOf<Type, Body> = Type extends 'application/json'
  ? { readonly type?: undefined; readonly body: Body | Json<Body> }
  : Type extends '*/*'
    ? { readonly type: string; readonly body: AsyncIterable<Uint8Array> }
    : Type extends 'application/x-ndjson'
      ? { readonly type: Type; readonly body: AsyncIterable<Uint8Array> }
      : Type extends 'text/event-stream'
        ? { readonly type: Type; readonly body: Events }
        : Type extends 'text/csv'
          ? { readonly type: Type; readonly body: string | AsyncIterable<Uint8Array> }
          : { readonly type: Type; readonly body: string | Uint8Array };
