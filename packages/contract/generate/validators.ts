import { inline } from './inline.ts';
import {
  type Body,
  type Document,
  type OperationNode,
  type Parameter,
  type PathItem,
  resolve,
  type Schema,
} from './openapi.ts';
import type { Found } from './operations.ts';

/** A document that describes only the requests of the operations of one shard. */
export interface Shard {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, object>>;
}

/**
 * Small documents for the request validator, by shard.
 *
 * The validator copies its whole document into the check of every operation, so one document over all operations costs
 * minutes and hundreds of megabytes. These are many small documents that contain only requests, without references,
 * descriptions and responses. Paths have no base: the validator receives the path below the version segment.
 */
export function shardsOf(document: Document, found: readonly Found[]): Readonly<Record<string, Shard>> {
  const shards: Record<string, Shard> = {};
  for (const { operation, node, item } of found) {
    shards[operation.shard] ??= {
      openapi: '3.1.0',
      info: { title: operation.tag, version: document.info.version },
      paths: {},
    };
    const paths = shards[operation.shard]?.paths ?? {};
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, { [operation.method]: request(document, item, node, operation.method) });
  }
  return shards;
}

function request(document: Document, item: PathItem, node: OperationNode, method: string): object {
  const parameters = [...(item.parameters ?? []), ...(node.parameters ?? [])].map((parameter) =>
    requestParameter(document, resolve<Parameter>(document, parameter)),
  );
  return {
    operationId: node.operationId,
    ...(parameters.length > 0 && { parameters }),
    ...(node.requestBody && { requestBody: requestBody(document, resolve<Body>(document, node.requestBody), method) }),
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
    // Without it the validator refuses `:` and `,` in values such as times and lists of fields.
    ...(place === 'query' && { allowReserved: true }),
    schema: place === 'query' ? withoutOpenMap(schema) : schema,
  };
}

/**
 * Expresses an open map by `patternProperties`. If a query parameter has `additionalProperties`, the validator stops
 * checking for unknown parameters.
 */
function withoutOpenMap({ additionalProperties, ...schema }: Schema): Schema {
  if (!additionalProperties) return additionalProperties === false ? { ...schema, additionalProperties } : schema;
  return additionalProperties === true ? schema : { ...schema, patternProperties: { '^': additionalProperties } };
}

/** A PATCH body gets no defaults: properties that are absent keep their values. */
function requestBody(document: Document, body: Body, method: string): Body {
  const content = Object.entries(body.content ?? {}).map(([type, media]) => [
    type,
    { schema: inline(document, media.schema ?? {}, { defaults: method !== 'patch' }) },
  ]);
  return { required: body.required === true, content: Object.fromEntries(content) };
}
