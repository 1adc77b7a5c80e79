import type { operations as OperationTypes } from '../generated/types.ts';
import type { OperationKind } from './operation.ts';
import type { OperationId, OperationIdOf } from './operations.ts';

/** JSON that is rendered already, such as a page of stored documents; `T` is what it holds. */
export interface Json<T> {
  readonly json: string;
  /** Never present: it makes a text of one type different from that of another. */
  readonly _type?: T;
}

/** The request of an operation after it was checked: defaults are filled in, numbers and booleans are such. */
export interface RequestOf<Operation> {
  readonly path: Part<Operation, 'path'>;
  readonly query: Part<Operation, 'query'>;
  /** Documented headers, spelled as in the document: `Idempotency-Key`. */
  readonly headers: Part<Operation, 'header'>;
  readonly body: BodyOf<Operation>;
}

/** What an operation may be answered with: one of its documented successes and redirections. Errors are thrown. */
export type AnswerOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in SuccessOf<Responses>]: AnswerWith<Status, Responses[Status]> }[SuccessOf<Responses>]
  : never;

export type Request<K extends OperationId> = RequestOf<OperationTypes[K]>;
export type Answer<K extends OperationId> = AnswerOf<OperationTypes[K]>;
export type Handler<K extends OperationId, Context> = (request: Request<K>, context: Context) => Promise<Answer<K>>;

/** A handler for every operation of the document: one too few or too many does not compile. */
export type Handlers<Context> = { readonly [K in OperationId]: Handler<K, Context> };

/** Operations that follow the conventions: one generic handler per kind answers them for all entities. */
export type ConventionalId = OperationIdOf<Exclude<OperationKind, 'other'>>;

/** Operations that need a handler of their own. */
export type OwnId = Exclude<OperationId, ConventionalId>;

/** The handlers that are written by hand: one for each of `OwnId`, and those that replace a conventional one. */
export type OwnHandlers<Context> = Pick<Handlers<Context>, OwnId> & Partial<Pick<Handlers<Context>, ConventionalId>>;

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

type AnswerWith<Status, Response> = {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
} & (Response extends {
  content: infer Content;
}
  ? { [Type in keyof Content]: ContentOf<Type, Content[Type]> }[keyof Content]
  : { readonly body?: undefined });

/** JSON needs no media type; any other answer names its own and is sent as it is. Media of any type are streams of bytes. */
type ContentOf<Type, Body> = Type extends 'application/json'
  ? { readonly type?: undefined; readonly body: Body | Json<Body> }
  : Type extends '*/*'
    ? { readonly type: string; readonly body: AsyncIterable<Uint8Array> }
    : { readonly type: Type; readonly body: string | Uint8Array };
