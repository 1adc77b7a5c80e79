import { resolve } from '../src/component-references.ts';
import { inline } from './inline.ts';
import type { Body, Document, Parameter, Schema } from './openapi.ts';
import type { Found } from './operations.ts';
import { shareRepeated } from './share-repeated.ts';

/** A document that describes only the requests of the operations of one shard. */
export interface Shard {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * Small documents for the request validator, by shard.
 *
 * The validator copies its whole document into the check of every operation, so one document for all operations would
 * cost minutes and hundreds of megabytes. These small documents contain only requests, without `allOf`, descriptions
 * and responses; their only components are schemas that their bodies repeat. Paths have no base: the validator receives
 * the path below the version segment.
 */
export function shardsOf(document: Document, found: readonly Found[]): Readonly<Record<string, Shard>> {
  const byShard = Map.groupBy(found, ({ operation }) => operation.shard);
  return Object.fromEntries([...byShard].map(([name, members]) => [name, shardOf(document, members)]));
}

function shardOf(document: Document, found: readonly Found[]): Shard {
  const bodies = new Map(found.map((each) => [each, bodyOf(document, each)]));
  const sharing = shareRepeated([...bodies.values()].flatMap((body) => (body ? schemasOf(body) : [])));
  const paths: Record<string, Record<string, object>> = {};
  for (const each of found) {
    const { path, method } = each.operation;
    const body = bodies.get(each);
    paths[path] ??= {};
    paths[path][method] = request(document, each, body && mapSchemas(body, sharing.replace));
  }
  return {
    openapi: '3.1.0',
    info: { title: found[0]?.operation.tag ?? '', version: document.info.version },
    paths,
    components: { schemas: sharing.schemas },
  };
}

function request(document: Document, { item, node }: Found, requestBody: Body | undefined): object {
  const parameters = [...(item.parameters ?? []), ...(node.parameters ?? [])].map((parameter) =>
    requestParameter(document, resolve<Parameter>(document, parameter)),
  );
  return {
    operationId: node.operationId,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { default: { description: 'Not checked.' } },
  };
}

function requestParameter(document: Document, parameter: Parameter): object {
  const { name, in: place, required, style, explode } = parameter;
  const schema = inline(document, parameter.schema ?? {});
  return {
    name,
    in: place,
    ...(required === true && { required }),
    ...(style !== undefined && { style }),
    ...(explode !== undefined && { explode }),
    // Without this, the validator refuses `:` and `,` in values such as times and lists of fields.
    ...(place === 'query' && { allowReserved: true }),
    schema: place === 'query' ? withoutOpenMap(schema) : schema,
  };
}

/**
 * Expresses an open map with `patternProperties`. If a query parameter has `additionalProperties`, the validator stops checking
 * for unknown parameters.
 */
function withoutOpenMap({ additionalProperties, ...schema }: Schema): Schema {
  if (!additionalProperties) return additionalProperties === false ? { ...schema, additionalProperties } : schema;
  return additionalProperties === true ? schema : { ...schema, patternProperties: { '^': additionalProperties } };
}

/** The body with its schemas inlined. A PATCH has no defaults, because absent properties keep their values. */
function bodyOf(document: Document, { node, operation }: Found): Body | undefined {
  if (!node.requestBody) return undefined;
  const { required, content } = resolve<Body>(document, node.requestBody);
  const options = { defaults: operation.method !== 'patch' };
  return mapSchemas({ required: required === true, ...(content && { content }) }, (schema) =>
    inline(document, schema, options),
  );
}

function schemasOf({ content = {} }: Body): Schema[] {
  return Object.values(content).map(({ schema = {} }) => schema);
}

function mapSchemas({ required, content = {} }: Body, replace: (schema: Schema) => Schema): Body {
  const media = Object.entries(content).map(([type, { schema = {}, 'x-maxBytes': maxBytes }]) => [
    type,
    { ...(maxBytes !== undefined && { 'x-maxBytes': maxBytes }), schema: replace(schema) },
  ]);
  return { required: required === true, content: Object.fromEntries(media) };
}
