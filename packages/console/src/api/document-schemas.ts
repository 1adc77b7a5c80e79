import type { components } from '@unified/sdk';

/** A schema of the document by its name. */
export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Any record: the fields that all have, and those of its entity. */
export interface AnyRecord {
  readonly id: string;
  readonly code: string;
  readonly _displayValue: string;
  readonly _idValue: string;
  readonly _updatedAt: string;
  readonly _createdAt: string;
  readonly [field: string]: unknown;
}
