import type { EntityName } from './conditions.ts';
import type { Relations } from './generated/fields.ts';
import type { components } from './generated/types.ts';

type Schemas = components['schemas'];
type Relation = Schemas['Relation'];

/** The value of a relation that is not expanded. */
export interface Reference extends Relation {}

/**
 * A record as calls return it: `EntityRecord<'Vendor', 'currency'>` is a vendor whose `currency` is a full record, and
 * whose other relations are references.
 */
export type EntityRecord<Name extends EntityName, Expand extends string = never> = {
  [Field in keyof Schemas[Name]]: Field extends RelationOf<Name>
    ? Field extends FirstOf<Expand>
      ? Filled<Schemas[Name][Field], TargetOf<Name, Field>, RestOf<Expand, Field>>
      : Unfilled<Schemas[Name][Field]>
    : Schemas[Name][Field];
};

/** A relation to fill with the full record; `parent.currency` expands one level deeper. */
export type Expandable<Name extends EntityName> =
  | RelationOf<Name>
  | { [Field in RelationOf<Name>]: `${Field}.${RelationOf<TargetOf<Name, Field>>}` }[RelationOf<Name>];

type RelationOf<Name extends EntityName> = Name extends EntityName ? keyof Relations[Name] & string : never;

type TargetOf<Name extends EntityName, Field extends keyof Relations[Name]> = Relations[Name][Field] & EntityName;

type FirstOf<Path extends string> = Path extends `${infer First}.${string}` ? First : Path;
type RestOf<Path extends string, Field extends string> = Path extends `${Field}.${infer Rest}` ? Rest : never;

type Filled<Value, Target extends EntityName, Expand extends string> = Value extends readonly unknown[]
  ? EntityRecordOf<Target, Expand>[]
  : Value extends null | undefined
    ? Value
    : EntityRecordOf<Target, Expand>;

/** One type for each entity that the relation may point to. */
type EntityRecordOf<Name extends EntityName, Expand extends string> = Name extends EntityName
  ? EntityRecord<Name, Expand>
  : never;

type Unfilled<Value> = Value extends readonly unknown[]
  ? Reference[]
  : Value extends null | undefined
    ? Value
    : Reference;
