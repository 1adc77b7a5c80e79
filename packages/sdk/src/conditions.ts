import type { Fields } from './generated/fields.ts';
import type { components } from './generated/types.ts';

/** An entity of the contract that lists can be filtered by. */
export type EntityName = keyof Fields;

interface Equality<Value, Nothing = null> {
  readonly eq?: Value | Nothing | undefined;
  readonly neq?: Value | Nothing | undefined;
}

interface Listed<Value, Nothing = null> extends Equality<Value, Nothing> {
  /** One of these. Up to 200; none of them may contain a comma. */
  readonly in?: readonly Value[] | undefined;
}

interface Ordered<Value> extends Listed<Value> {
  readonly gt?: Value | undefined;
  readonly gte?: Value | undefined;
  readonly lt?: Value | undefined;
  readonly lte?: Value | undefined;
}

interface Text extends Ordered<string> {
  /** Contains this text, in any case; `%` and `_` mean themselves. */
  readonly contains?: string | undefined;
  readonly startsWith?: string | undefined;
  readonly endsWith?: string | undefined;
}

/** What a field of each kind can be compared with: a value (equals), or operators that all must hold. */
interface Conditions {
  text: string | null | Text;
  number: number | null | Ordered<number>;
  boolean: boolean | null | Equality<boolean>;
  /** "2026-11-20" (midnight UTC), a date-time with offset, or a `Date`. */
  date: string | Date | null | Ordered<string | Date>;
  texts: string | null | Listed<string>;
  /** The related record's id. */
  id: string | Listed<string, never>;
  relation: string | Listed<string, never>;
}

type EnumCondition<Value> = Value | null | Listed<Value>;

type ValueOf<Name extends EntityName, Field> = Field extends keyof components['schemas'][Name]
  ? NonNullable<components['schemas'][Name][Field]>
  : string;

/** Conditions that every returned record meets, by field; an unknown field or operator does not compile. */
export type Filter<Name extends EntityName> = {
  readonly [Field in keyof Fields[Name]]?:
    | (Fields[Name][Field] extends keyof Conditions
        ? Conditions[Fields[Name][Field]]
        : EnumCondition<ValueOf<Name, Field>>)
    | undefined;
};

type Unsorted = 'relation' | 'texts' | 'id';

/** A field to sort by; a leading `-` sorts downwards. */
export type Sort<Name extends EntityName> = {
  [Field in keyof Fields[Name] & string]: Fields[Name][Field] extends Unsorted
    ? Field extends 'id'
      ? Field | `-${Field}`
      : never
    : Field | `-${Field}`;
}[keyof Fields[Name] & string];

type RelationOf<Name extends EntityName> = {
  [Field in keyof Fields[Name] & string]: Fields[Name][Field] extends 'relation' ? Field : never;
}[keyof Fields[Name] & string];

/** A relation to fill with the full record; `parent.currency` reaches one level deeper. */
export type Expandable<Name extends EntityName> = RelationOf<Name> | `${RelationOf<Name>}.${string}`;

type Relation = components['schemas']['Relation'];

/** A record whose relations hold references, except those of `Expand`, which hold full records. */
export type Expanded<Record, Name extends EntityName, Expand extends string> = {
  [Field in keyof Record]: Field extends RelationOf<Name>
    ? Field extends FirstOf<Expand>
      ? Full<Record[Field]>
      : Reference<Record[Field]>
    : Record[Field];
};

type FirstOf<Path extends string> = Path extends `${infer First}.${string}` ? First : Path;
type Full<Value> = Value extends readonly (infer Item)[] ? Full<Item>[] : Exclude<Value, Relation>;
type Reference<Value> = Value extends readonly (infer Item)[]
  ? Reference<Item>[]
  : Extract<Value, Relation | null | undefined>;
