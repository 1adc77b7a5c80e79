/** One value that a person enters, derived from a schema of the document. */
export interface FormField {
  readonly name: string;
  readonly kind: FormKind;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly description: string;
  readonly values?: readonly string[];
  /** Entities that a relation may point to. */
  readonly targets?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** `json` is a list or an object, which is entered as JSON. */
export type FormKind =
  | 'text'
  | 'paragraph'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'enum'
  | 'relation'
  | 'json';

/** A write that a form is made for. */
export interface WriteForm {
  readonly operationId: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly FormField[];
}

/** An action on one record. */
export interface ActionForm extends WriteForm {
  readonly name: string;
  /** Categories (`statusCategory`) in which it is allowed; any if absent. */
  readonly from?: readonly string[];
}

/** A field of the records that are read. */
export interface ReadField {
  readonly name: string;
  readonly kind: string;
  readonly nullable: boolean;
  readonly description: string;
  readonly values?: readonly string[];
  readonly targets?: readonly string[];
  /** Operators by which lists can be filtered; none if they cannot. */
  readonly operators: readonly string[];
  readonly sortable: boolean;
}

/** What the pages of one entity need of the document. */
export interface EntityFacts {
  readonly name: string;
  readonly fields: readonly ReadField[];
  readonly create?: WriteForm;
  readonly update?: WriteForm;
  readonly actions: readonly ActionForm[];
}
