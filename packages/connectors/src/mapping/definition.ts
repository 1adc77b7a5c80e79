/** The shape of a mapping file that conforms to `mapping.schema.json`. See the schema for what each word means. */
export type Scalar = string | number | boolean | null;

export interface Condition {
  readonly path: string;
  readonly equals?: Scalar;
  readonly in?: readonly Scalar[];
  readonly sameAs?: string;
  readonly present?: boolean;
}

/** A word that works on one value: its path, or options with `from`. */
export type On<Options = unknown> = string | ({ readonly from: WordDefinition } & Options);

export type FieldDefinitions = Readonly<Record<string, WordDefinition>>;

export type By = '_idValue' | 'code' | '_displayValue';

/** Where an element of a list contains the key of a record: at a path, or in several parts. */
export type ElementKey = string | { readonly key: readonly string[] };

/** Every word with its options: the closed vocabulary. */
export interface Vocabulary {
  path: string;
  const: Scalar;
  text: On;
  number: On<{ readonly decimal?: '.' | ','; readonly scale?: number; readonly negated?: boolean }>;
  boolean: On<{ readonly true?: readonly Scalar[]; readonly false?: readonly Scalar[] }>;
  date: On<{ readonly format?: string; readonly nearest?: true }>;
  datetime: On<{ readonly format?: string }>;
  lookup: {
    readonly from: WordDefinition;
    readonly table: Readonly<Record<string, Scalar>>;
    readonly otherwise?: Scalar;
  };
  calculate: {
    readonly operation: 'add' | 'subtract' | 'multiply' | 'divide';
    readonly of: readonly WordDefinition[];
    readonly decimals?: number;
  };
  substring: { readonly from: WordDefinition; readonly start: number; readonly length?: number };
  now: 'datetime' | 'date';
  coalesce: readonly WordDefinition[];
  when: { readonly if: Condition; readonly then: WordDefinition; readonly else?: WordDefinition };
  concat: { readonly parts: readonly WordDefinition[]; readonly separator?: string };
  key: readonly WordDefinition[];
  join: { readonly each: WordDefinition; readonly separator: string };
  flag: { readonly names: FieldDefinitions; readonly otherwise?: string };
  flags: FieldDefinitions;
  split: { readonly from: WordDefinition; readonly separator: string };
  ref: { readonly entity: string | WordDefinition; readonly by: By; readonly value: WordDefinition };
  refs: { readonly entity: string; readonly by: By; readonly each: WordDefinition; readonly value?: ElementKey };
  list: { readonly from?: string; readonly to?: string; readonly fields: FieldDefinitions };
  object: { readonly fields: FieldDefinitions };
}

export type WordName = keyof Vocabulary;

export type WordDefinition =
  | string
  | { readonly [W in WordName]?: Vocabulary[W] }
  | { readonly read?: WordDefinition; readonly write?: WordDefinition };

export interface ActionDefinition {
  readonly act: WordDefinition;
  readonly values?: FieldDefinitions;
  readonly touches?: readonly string[];
}

/** Type of the values of a custom field. */
export type CustomFieldType = 'string' | 'number' | 'boolean' | 'date' | 'dateTime';

export interface CustomFieldDefinition {
  readonly name: string;
  readonly path?: string;
  readonly type?: CustomFieldType;
  readonly label?: string;
  readonly indexed?: boolean;
}

export interface IncludedCustomFields {
  readonly include: 'all' | readonly (string | CustomFieldDefinition)[];
  /** True for all that the system can write, or a list of names. Absent if none are writable. */
  readonly writable?: true | readonly string[];
}

export type CustomFieldsDefinition = 'all' | 'none' | IncludedCustomFields;

export interface MappingDefinition {
  readonly entity: string;
  readonly stream: string;
  readonly where?: Condition | readonly Condition[];
  readonly deleted?: WordDefinition;
  readonly display?: WordDefinition;
  readonly created?: WordDefinition;
  readonly updated?: WordDefinition;
  readonly fields: FieldDefinitions;
  readonly customFields?: CustomFieldsDefinition;
  readonly writes?: readonly ('create' | 'update' | 'replace' | 'delete')[];
  readonly touches?: readonly string[];
  readonly onCreate?: FieldDefinitions;
  readonly onWrite?: FieldDefinitions;
  readonly actions?: Readonly<Record<string, ActionDefinition>>;
}
