/**
 * The kind of a field, for columns, filters and mappings.
 *
 * `text` string · `number`, `integer` number · `boolean` · `date` "2026-11-20" · `datetime` RFC 3339 · `enum` one of `values` ·
 * `relation` one reference or null · `relations` list of references · `texts` list of strings · `objects` list of anything
 * else, or of values derived from another field · `object` anything else. These two, with everything in them, are stored only
 * in the document, so lists cannot be filtered or sorted by them. · `custom` object of plain values whose names the connected
 * system determines.
 */
export type FieldKind =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'enum'
  | 'relation'
  | 'relations'
  | 'texts'
  | 'objects'
  | 'object'
  | 'custom';

/**
 * Constraints of a value besides its kind, named as in JSON Schema. In a list of texts, `minItems` and `maxItems` apply to the
 * list, and the other keywords to its elements.
 */
export interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** One property of an entity, derived from its schema in the document. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  /** Whether the property is required in the returned schema. */
  readonly required: boolean;
  /** Whether create and update bodies may contain it. */
  readonly writable: boolean;
  /** Allowed values of an `enum`, or of the elements of `texts`. */
  readonly values?: readonly string[];
  /** If absent, every value of the kind is allowed. */
  readonly limits?: Limits;
  /** Entities that a `relation` or `relations` field may point to. */
  readonly targets?: readonly string[];
  /** Whether a request contains the records of a `relations` field, such as lines of an order, instead of references. */
  readonly holdsLines?: true;
  /** Properties of the objects in an `object` or `objects` field; relations among them point to records. */
  readonly fields?: readonly Field[];
}

/** An action on one record, such as `cancel`. */
export interface Action {
  readonly name: string;
  readonly operationId: string;
  /** Categories (`statusCategory`) in which the action is allowed; any category if absent. */
  readonly from?: readonly string[];
  /** Category that it leads to, if there is only one. */
  readonly to?: string;
  /** Entities that the references of its body may point to, by path: `reason`, `lines.line`. */
  readonly references: Readonly<Record<string, readonly string[]>>;
}

/** The records of another entity that a view shows: those with these values. */
export interface ViewMember {
  readonly entity: string;
  readonly where: Readonly<Record<string, string | boolean>>;
}

/** One kind of record: its addresses, table and fields, derived from the document. */
export interface Entity {
  /** Name of the schema, for example `WorkOrder`; also the `rel` of references to it. */
  readonly name: string;
  /** Canonical collection, for example `work-orders`. */
  readonly collection: string;
  /** Name of its table, for example `work_orders`. */
  readonly table: string;
  /** Fields in the order of the document; the common fields first. */
  readonly fields: readonly Field[];
  readonly field: Readonly<Record<string, Field>>;
  /** Fields that the body of a create, or a new line of a body, must have. */
  readonly requiredOnCreate: readonly string[];
  readonly actions: readonly Action[];
  /**
   * The members of a view, an entity without its own records. A view is read like any entity; a write goes to the member that
   * the record belongs to.
   */
  readonly view?: readonly ViewMember[];
  /**
   * Whether its records have a file, which a create accepts as `multipart/form-data`. `sha256` and `sizeBytes` identify
   * it, `name` and `contentType` describe it, and `url` is where it is fetched.
   */
  readonly holdsFile?: boolean;
}
