import type { Document, PathItem, Schema } from './openapi.ts';

/** For tests: a bundled document with these paths and schemas, and the parts that every document has. */
export function documentOf(
  paths: Readonly<Record<string, PathItem>>,
  schemas: Readonly<Record<string, Schema>> = {},
  more: Partial<Document> = {},
): Document {
  return {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1.0.0' },
    servers: [{ url: 'http://localhost:4000/v4' }, { url: 'http://localhost:4000/v4/v4' }],
    security: [{ connectionToken: [] }],
    tags: [{ name: 'Things' }],
    paths,
    components: { securitySchemes: { connectionToken: { type: 'http', scheme: 'bearer' } }, schemas },
    ...more,
  };
}

/** For tests: a reference to a named schema. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** For tests: a body or a response with this schema as JSON. */
export function json(name: string): { content: Record<string, { schema: Schema }> } {
  return { content: { 'application/json': { schema: ref(name) } } };
}

/** For tests: the schemas of an entity called Thing that follow the conventions. */
export const thingSchemas: Readonly<Record<string, Schema>> = {
  Entity: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, code: { type: 'string' } } },
  Relation: { type: 'object' },
  Thing: {
    allOf: [
      ref('Entity'),
      ref('ThingFields'),
      { properties: { parent: { anyOf: [ref('Relation'), ref('Thing'), { type: 'null' }] } } },
    ],
  },
  ThingFields: { type: 'object', properties: { name: { type: 'string', description: 'Name.' } } },
  ThingPatch: {
    allOf: [ref('ThingFields'), { type: 'object', properties: { code: { type: 'string' } } }],
    unevaluatedProperties: false,
  },
  ThingInput: { allOf: [ref('ThingPatch')], required: ['name'] },
  ThingResponse: { type: 'object', properties: { data: ref('Thing') } },
  ThingPage: { type: 'object', properties: { data: { type: 'array', items: ref('Thing') } } },
  WriteRecord: { type: 'object' },
  WritePage: { type: 'object' },
};
