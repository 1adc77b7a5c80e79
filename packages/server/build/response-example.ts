import { sample } from 'openapi-sampler';
import type { Page, PageResponse, PageSchema } from './reference-page.ts';

/** An example of the JSON that a response contains; undefined if it contains none. */
export function responseExample(page: Page, { content }: PageResponse): unknown {
  const { schema, example } = content?.['application/json'] ?? {};
  if (example !== undefined) return example;
  return schema && schemaExample(page, schema);
}

/** An example of a value, made from the examples of its parts. */
export function schemaExample(page: Page, schema: PageSchema): unknown {
  return sample(schema as object, { quiet: true }, page);
}

/** A response of an operation with its reference resolved. */
export function knownResponse({ components }: Page, response: PageResponse): PageResponse {
  const name = response.$ref?.split('/').at(-1) ?? '';
  return components.responses?.[name] ?? response;
}
