import { type AnyOperation, operations as generated } from '../generated/operations.ts';
import type { Operation, OperationKind } from './operation.ts';

/** Name of an operation of the document. */
export type OperationId = AnyOperation['id'];

/** Names of the operations of some kinds. */
export type OperationIdOf<Kind extends OperationKind> = Extract<AnyOperation, { kind: Kind }>['id'];

/** All operations in the order of the document. */
export const operations: readonly Operation[] = generated;
