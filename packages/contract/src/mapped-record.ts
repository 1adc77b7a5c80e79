/** A reference as a mapping reads it: which record is meant, by what the connected system knows of it. */
export interface Reference {
  readonly entity: string;
  readonly by: '_idValue' | 'code' | '_displayValue';
  readonly value: string;
}

/** A record as a mapping reads it from a row of the connected system; ids and references are finished by the store. */
export interface MappedRecord {
  readonly _source: string;
  readonly _idValue: string;
  /**
   * Plain fields, `_displayValue`, `_createdAt` and `_updatedAt` among them where the row tells them. Objects hold a
   * `Reference` (a list of them, null) where their property is a relation.
   */
  readonly values: Readonly<Record<string, unknown>>;
  readonly references: Readonly<Record<string, Reference | readonly Reference[] | null>>;
  /** When the connected system deleted the record; null or absent while it exists. */
  readonly deletedAt?: string | null;
}
