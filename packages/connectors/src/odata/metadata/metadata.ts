/** Version of the protocol. */
export type ODataVersion = 2 | 4;

/** A property with a value of its own, as opposed to a navigation to other entities. */
export interface EdmProperty {
  readonly name: string;
  /** Name of a primitive type, such as `Edm.Decimal`; the name of a complex type or a collection is as in the document. */
  readonly type: string;
  /** Whether the type is a list of names. */
  readonly isEnumeration: boolean;
  readonly isNullable: boolean;
  readonly maxLength: number | undefined;
  /** Digits after the decimal point; undefined if their number is not fixed. */
  readonly scale: number | undefined;
  /** Whether an `Edm.DateTime` of V2 is a day without a time. */
  readonly isDay: boolean;
  readonly isCreatable: boolean;
  readonly isUpdatable: boolean;
  readonly label: string | null;
  readonly comment: string | null;
}

/** A property that leads to other entities. */
export interface EdmNavigation {
  readonly name: string;
  /** Qualified name of the entity type that it leads to. */
  readonly target: string;
  readonly isCollection: boolean;
}

/** An entity type with everything that it inherits. */
export interface EntityType {
  /** Qualified name. */
  readonly name: string;
  readonly key: readonly string[];
  readonly properties: ReadonlyMap<string, EdmProperty>;
  readonly navigations: ReadonlyMap<string, EdmNavigation>;
  readonly label: string | null;
}

/** A list of entities that can be requested: the name of a stream. */
export interface EntitySet {
  readonly name: string;
  readonly type: EntityType;
  readonly label: string | null;
  readonly comment: string | null;
}

/** An action of V4, or a function import of V2. */
export interface Operation {
  /** The name to call it by: the qualified name for a bound V4 operation, otherwise the plain name. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'MERGE';
  /** Qualified name of the type whose entities it is called on; undefined if it is called on the service. */
  readonly boundTo: string | undefined;
  /** Without the binding parameter. */
  readonly parameters: ReadonlyMap<string, EdmProperty>;
}

/** The description of a service. */
export interface Metadata {
  readonly version: ODataVersion;
  readonly sets: ReadonlyMap<string, EntitySet>;
  /** By qualified name. */
  readonly types: ReadonlyMap<string, EntityType>;
  readonly operations: readonly Operation[];
  /** Values that are read as null, as the platform declares. */
  readonly none?: ReadonlySet<unknown>;
}
