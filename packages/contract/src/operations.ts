import { type AnyOperation, operations as generated } from '../generated/operations.ts';
import type { Operation, OperationKind } from './operation.ts';

/** Name of an operation of the document. */
export type OperationId = AnyOperation['id'];

type ById = { readonly [Each in AnyOperation as Each['id']]: Each };

/** The surface of an operation. */
export type SurfaceOf<K extends OperationId> = ById[K]['surface'];

/** The kinds of credentials that an operation accepts. */
export type CredentialOf<K extends OperationId> = ById[K]['security'][number];

/** Names of the operations of some kinds. */
export type OperationIdOf<Kind extends OperationKind> = Extract<AnyOperation, { kind: Kind }>['id'];

/** All operations in the order of the document. */
export const operations: readonly Operation[] = generated;
