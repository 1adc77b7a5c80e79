import type { CredentialKind } from '../generated/operations.ts';

export type { CredentialKind };
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * How an operation is served: `list`, `get`, `create`, `createMany`, `update`, `replace`, `delete` and `action` follow the
 * conventions of the document and need no specific handler; `other` has its own.
 */
export type OperationKind =
  | 'list'
  | 'get'
  | 'create'
  | 'createMany'
  | 'update'
  | 'replace'
  | 'delete'
  | 'action'
  | 'other';

/** The part of the API that an operation belongs to. It determines what the handler of the operation can access. */
export type Surface = 'console' | 'data' | 'management' | 'mcp' | 'oauth' | 'system';

/** Since when an operation has been deprecated, and what to use instead. */
export interface Deprecation {
  /** Value of the `Deprecation` header: `@` and seconds since 1970. */
  readonly since: string;
  /** Path of the replacement, with the parameters of the deprecated one; absent if there is none. */
  readonly successor?: string;
  /** When the address stops working, as the value of the `Sunset` header; absent if no date is set. */
  readonly sunset?: string;
}

/** One operation of the document. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Path as in the document, below the version segment: `/vendors/{id}`. */
  readonly path: string;
  /** Prefixes of the path, one per address: a version segment, or the empty string at the root. */
  readonly bases: readonly string[];
  readonly tag: string;
  /** Name of the validator document that contains the operation. */
  readonly shard: string;
  readonly kind: OperationKind;
  readonly surface: Surface;
  /** Whether the operation only reads records, so that it can run on a replica of the database that has reached a position. */
  readonly readsReplica: boolean;
  /** Kinds of credentials that the operation accepts, of which one is required. If there are none, it is open to everyone. */
  readonly security: readonly CredentialKind[];
  readonly deprecated: boolean;
  /** Deprecation of the operation, as reported in its responses. */
  readonly deprecation?: Deprecation;
  /** Name of the earlier version that the operation belongs to; absent for the current version. */
  readonly version?: string;
  /** Name of the entity that the operation is about, for all kinds but `other`. */
  readonly entity?: string;
  /** Name of the action, for kind `action`. */
  readonly action?: string;
}
