import type { Fields } from './generated/fields.ts';
import type { components } from './generated/types.ts';

/** An entity of the contract that lists can be filtered by. */
export type EntityName = keyof Fields;

interface Equality<Value, Nothing = null> {
  readonly eq?: Value | Nothing | undefined;
  readonly neq?: Value | Nothing | undefined;
}

interface Listed<Value, Nothing = null> extends Equality<Value, Nothing> {
  /** One of these values. Up to 200 values, none of which may contain a comma. */
  readonly in?: readonly Value[] | undefined;
}

interface Ordered<Value> extends Listed<Value> {
  readonly gt?: Value | undefined;
  readonly gte?: Value | undefined;
  readonly lt?: Value | undefined;
  readonly lte?: Value | undefined;
}

interface Text extends Ordered<string> {
  /** Contains this text, ignoring case; `%` and `_` are not wildcards. */
  readonly contains?: string | undefined;
  readonly startsWith?: string | undefined;
  readonly endsWith?: string | undefined;
}

/** Conditions for a field of each kind: a value (equals), or operators that must all match. */
interface Conditions {
  text: string | null | Text;
  number: number | null | Ordered<number>;
  boolean: boolean | null | Equality<boolean>;
  /** "2026-11-20" (midnight UTC), a date-time with offset, or a `Date`. */
  date: string | Date | null | Ordered<string | Date>;
  texts: string | null | Listed<string>;
  id: string | Listed<string, never>;
  /** The related record's id, or conditions that it meets. */
  relation: string | (Listed<string, never> & Related);
  named: string | (Listed<string, never> & NamedRelated);
  numbered: string | (Listed<string, never> & NumberedRelated);
}

/** Conditions for a text field of related records. */
type RelatedText =
  | string
  | null
  | (Pick<Text, 'contains' | 'startsWith' | 'endsWith'> & {
      readonly eq?: string | null | undefined;
      readonly in?: readonly string[] | undefined;
    });

/** Conditions that a related record meets. For a field with several relations, one of its records meets them. */
interface Related {
  readonly id?: string | Pick<Listed<string, never>, 'eq' | 'in'> | undefined;
  readonly code?: RelatedText | undefined;
  readonly _idValue?: RelatedText | undefined;
  readonly _displayValue?: RelatedText | undefined;
}

interface NamedRelated extends Related {
  readonly name?: RelatedText | undefined;
}

interface NumberedRelated extends NamedRelated {
  readonly number?: number | Pick<Listed<number>, 'eq' | 'in'> | undefined;
}

/** Conditions for a custom field, whose type the connection determines: `getCapability` returns it. */
type CustomCondition = Conditions['date'] | Conditions['number'] | Conditions['boolean'] | Text;

type EnumCondition<Value> = Value | null | Listed<Value>;

type ValueOf<Name extends EntityName, Field> = Field extends keyof components['schemas'][Name]
  ? Listable<components['schemas'][Name][Field]>
  : string;

/** The values that the contract lists, without the part that keeps the enums of responses open. */
type Listable<Value> = Value extends string ? (string extends Value ? never : Value) : never;

/** Conditions that every returned record meets, by field; an unknown field, operator or enum value does not compile. */
export type Filter<Name extends EntityName> = {
  readonly [Field in keyof Fields[Name]]?:
    | (Fields[Name][Field] extends keyof Conditions
        ? Conditions[Fields[Name][Field]]
        : EnumCondition<ValueOf<Name, Field>>)
    | undefined;
} & {
  /** Conditions for fields of the connected system, by their names in that system. */
  readonly customFields?: Readonly<Record<string, CustomCondition | undefined>> | undefined;
};

type Unsorted = 'relation' | 'named' | 'numbered' | 'texts' | 'id';

/** A field to sort by; a leading `-` sorts in descending order. */
export type Sort<Name extends EntityName> = {
  [Field in keyof Fields[Name] & string]: Fields[Name][Field] extends Unsorted
    ? Field extends 'id'
      ? Field | `-${Field}`
      : never
    : Field | `-${Field}`;
}[keyof Fields[Name] & string];
