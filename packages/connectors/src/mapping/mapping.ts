import type { MappedRecord } from '@unified/contract';
import type { RawRow, Row, WriteOperation } from '../driver.ts';
import type { CustomFields, CustomTypes } from './custom-fields.ts';
import type { MappingDefinition, Scalar } from './definition.ts';
import type { MappingParts } from './mapping-parts.ts';
import type { ValueProblem } from './problem.ts';
import type { SourcePath } from './source-paths.ts';

/** A resolved reference of a request, with everything that the connected system may need. */
export interface ResolvedReference {
  readonly id: string;
  readonly _idValue: string;
  readonly code: string;
  readonly _displayValue: string;
  readonly entity: string;
}

/** What to send to the connected system. */
export interface Written {
  readonly values: Row;
  /** Fields of the request that this system does not support, or does not support with this value. */
  readonly unsupported: readonly string[];
}

/** An action in terms of the connected system. */
export interface CompiledAction {
  /**
   * The request to the driver. `act` is null if the system has no such action for this input (for example an unknown status).
   */
  write(input: Row): Written & { readonly act: string | null };
  /** Every name that `act` can be. */
  readonly acts: readonly string[];
  /** Properties of the request that it uses; the system has no place for others. */
  readonly inputs: readonly string[];
  /** Every path that its values set. */
  readonly written: readonly string[];
  /** Other entities whose records it changes in the system. */
  readonly touches: readonly string[];
}

/** How rows of a stream correspond to records of an entity, in both directions. */
export interface CompiledMapping {
  readonly entity: string;
  readonly stream: string;
  /** The definition that it was compiled from. */
  readonly definition: MappingDefinition;
  /** Fields that are read from the system, in the order of the file. */
  readonly fields: readonly string[];
  /** Fields that can be sent to the system. */
  readonly writable: readonly string[];
  /** All values that the system accepts, by writable field; a field that accepts any is absent. */
  readonly allowedValues: Readonly<Record<string, readonly Scalar[]>>;
  readonly customFields: CustomFields;
  /** Entities that its references point to, each with the field, such as `addresses.country`. */
  readonly references: readonly { readonly field: string; readonly entity: string }[];
  /** Writes that the system supports. */
  readonly writes: ReadonlySet<WriteOperation>;
  /** Other entities whose records these writes change in the system. */
  readonly touches: readonly string[];
  readonly actions: Readonly<Record<string, CompiledAction>>;
  /** Every path that is read; the `field` of those in `where` is `where`. */
  readonly paths: readonly SourcePath[];
  /** Every path that creates and updates set; the `field` of those in `onCreate` and `onWrite` is that keyword. */
  readonly written: readonly SourcePath[];
  readonly parts: MappingParts;
  /**
   * Changes when the definition, the fields of the entity or the derivation changes: records that were read with another hash
   * must be derived again.
   */
  readonly hash: string;
  /**
   * The record of a row; null if the row does not belong to this entity. Never throws, whatever the row contains. Adds the
   * values that are left out of the record to `problems`. `types` are those of the custom fields for which the mapping defines
   * none.
   */
  read(row: RawRow, problems?: ValueProblem[], types?: CustomTypes): MappedRecord | null;
  /** What to send for a request; relations in `input` are `ResolvedReference`s (or lists of them), null clears a field. */
  write(input: Row, options: { readonly op: WriteOperation }): Written;
}
