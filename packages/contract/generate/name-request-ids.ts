import type { Body, Document, Reference } from './openapi.ts';

const NAME = 'X-Request-Id';
const HEADER = { $ref: `#/components/headers/${NAME}` };

/** The document in which each shared response, and each response of an operation that is not shared, has `X-Request-Id`. */
export function nameRequestIds(document: Document): Document {
  const { headers, responses = {} } = document.components;
  if (!headers?.[NAME]) return document;
  const paths = Object.entries(document.paths).map(([path, item]) => [path, mapValues(item, ofOperation)]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, responses: mapValues(responses, withRequestId) },
  };
}

function ofOperation(node: unknown): unknown {
  if (typeof node !== 'object' || node === null || !('responses' in node)) return node;
  return { ...node, responses: mapValues(node.responses as Readonly<Record<string, Body | Reference>>, withRequestId) };
}

function withRequestId(response: object): object {
  if ('$ref' in response) return response;
  const headers = 'headers' in response ? response.headers : {};
  return { ...response, headers: { ...(headers as object), [NAME]: HEADER } };
}

function mapValues<T extends object>(values: T, replace: (value: T[keyof T] & object) => unknown): T {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, replace(value)])) as T;
}
