import {
  type Entity,
  entityOf,
  type Operation,
  operations,
  type ValidatorShard,
  validatorShards,
} from '@unified/contract';

/** What a server serves: operations, and the small documents against which their requests are checked. */
export interface ServedContract {
  readonly operations: readonly Operation[];
  /** By `Operation.shard`. */
  readonly shards: Readonly<Record<string, ValidatorShard>>;
}

/** Everything that the document describes. */
export function wholeContract(): ServedContract {
  return { operations, shards: validatorShards() };
}

/** What must be known about an operation's parameters before the check. */
export interface DescribedParameters {
  /** Query parameters that are whole numbers. */
  readonly integers: readonly string[];
  /** Names of query parameters. */
  readonly query: ReadonlySet<string>;
  /** The entity whose fields `filter` can name; absent if the operation does not have that parameter. */
  readonly filtered?: Entity | undefined;
  /** Headers, spelled as in the document. */
  readonly headers: readonly string[];
  readonly takesBody: boolean;
  readonly needsBody: boolean;
  /** Whether the body may be `application/x-www-form-urlencoded`. */
  readonly takesForm: boolean;
  /** Whether the body may be `multipart/form-data`: a file, and the JSON that describes it. */
  readonly takesFile: boolean;
  /** Maximum size of a JSON body in bytes, if the operation has its own limit. */
  readonly maxBytes?: number | undefined;
}

interface DescribedOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema?: { readonly type?: string };
  }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly 'x-maxBytes'?: number }>>;
  };
}

/** Looks up an operation in its validator document. */
export function describedParameters(
  shards: ServedContract['shards'],
  { id, shard, path, method, entity }: Operation,
): DescribedParameters {
  const described: DescribedOperation | undefined = shards[shard]?.paths[path]?.[method];
  if (!described) throw new Error(`No validator document describes ${id}.`);
  const parameters = described.parameters ?? [];
  const query = parameters.filter((each) => each.in === 'query');
  const names = new Set(query.map(({ name }) => name));
  return {
    integers: query.flatMap(({ name, schema }) => (schema?.type === 'integer' ? [name] : [])),
    query: names,
    filtered: names.has('filter') ? entityOf(entity ?? '') : undefined,
    headers: parameters.filter((each) => each.in === 'header').map(({ name }) => name),
    takesBody: described.requestBody !== undefined,
    needsBody: described.requestBody?.required === true,
    takesForm: described.requestBody?.content['application/x-www-form-urlencoded'] !== undefined,
    takesFile: described.requestBody?.content['multipart/form-data'] !== undefined,
    maxBytes: described.requestBody?.content['application/json']?.['x-maxBytes'],
  };
}

/** The keywords of a request schema that are used here. */
interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface DescribedRequest {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

/** What the document describes at a place in a request, given by a path such as `/body/lines/0/item`. */
export interface DescribedPlaces {
  /** Names of the sibling properties or query parameters of the one at this path. */
  namesBeside(path: string): readonly string[];
  /** Whether the document expects a reference to a record at this path. */
  takesReference(path: string): boolean;
}

/** Reads the validator document of an operation. Called only for invalid requests. */
export function describedPlaces(shards: ServedContract['shards'], { shard, path, method }: Operation): DescribedPlaces {
  const described: DescribedRequest = shards[shard]?.paths[path]?.[method] ?? {};
  const body = described.requestBody?.content['application/json']?.schema;
  const components: Readonly<Record<string, Schema>> = shards[shard]?.components.schemas ?? {};
  const schemasAt = (place: readonly string[]) =>
    place.reduce(
      (schemas, name) => schemas.flatMap((schema) => alternatives(child(schema, name), components)),
      alternatives(body, components),
    );
  return {
    namesBeside(place) {
      const [, part, ...names] = place.split('/');
      if (part === 'query') return (described.parameters ?? []).flatMap((each) => (each.in === part ? each.name : []));
      if (part !== 'body') return [];
      return schemasAt(names.slice(0, -1)).flatMap(({ properties = {} }) => Object.keys(properties));
    },
    takesReference(place) {
      const [, part, ...names] = place.split('/');
      return part === 'body' && schemasAt(names).some(({ properties = {} }) => isReference(properties));
    },
  };
}

/** A schema and its alternatives (`anyOf`, `oneOf`), with references resolved. */
function alternatives(schema: Schema | undefined, components: Readonly<Record<string, Schema>>): Schema[] {
  if (!schema) return [];
  if (schema.$ref) return alternatives(components[schema.$ref.split('/').at(-1) ?? ''], components);
  const { anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...anyOf, ...oneOf].flatMap((each) => alternatives(each, components))];
}

function child({ properties, items }: Schema, name: string): Schema | undefined {
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return /^\d+$/.test(name) ? items : undefined;
}

/** In the document, only references have these properties. */
function isReference(properties: object): boolean {
  return ['id', '_idValue', '_displayValue', 'rel'].every((name) => Object.hasOwn(properties, name));
}
