/** A reference as a mapping reads it: it identifies the record by values from the connected system. */
export interface Reference {
  readonly entity: string;
  readonly by: '_idValue' | 'code' | '_displayValue';
  readonly value: string;
}

/** A record as a mapping reads it from a row of the connected system; the store adds ids and completes references. */
export interface MappedRecord {
  readonly _source: string;
  readonly _idValue: string;
  /**
   * Plain fields, including `_displayValue`, `_createdAt` and `_updatedAt` if the row has them. In objects, relations
   * are a `Reference`, a list of them, or null.
   */
  readonly values: Readonly<Record<string, unknown>>;
  readonly references: Readonly<Record<string, Reference | readonly Reference[] | null>>;
  /** When the connected system deleted the record; null or absent while it exists. */
  readonly deletedAt?: string | null;
}
