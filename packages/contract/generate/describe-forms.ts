import { nameOf, resolve } from '../src/component-references.ts';
import type { Body, Document, Media, Reference, Schema } from './openapi.ts';
import { findOperations } from './operations.ts';

const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)$/;
const JSON_TYPE = 'application/json';

/**
 * The document in a form that openapi-generator reads without errors: it refuses forms with `additionalProperties: true`, which
 * is the default, and leaves out the schema of a form that nothing else refers to, although the generated code for a body that
 * can also be JSON imports that schema. Therefore, the JSON schema excludes the form explicitly, which changes nothing, because
 * both are closed.
 */
export function describeForms(document: Document): Document {
  const bodies = findOperations(document).flatMap(({ node }) => contentOf(document, node.requestBody));
  const schemas = { ...document.components.schemas };
  for (const content of bodies) {
    const json = content[JSON_TYPE]?.schema?.$ref;
    for (const form of namesOfForms(content)) {
      schemas[form] = withoutDefault(schemas[form] ?? {});
      const name = typeof json === 'string' ? nameOf(json) : form;
      if (name !== form) schemas[name] = { ...schemas[name], not: { $ref: `#/components/schemas/${form}` } };
    }
  }
  return { ...document, components: { ...document.components, schemas } };
}

type Content = Readonly<Record<string, Media>>;

function contentOf(document: Document, body: Body | Reference | undefined): Content[] {
  const { content } = body ? resolve<Body>(document, body) : {};
  return content ? [content] : [];
}

function namesOfForms(content: Content): string[] {
  const forms = Object.entries(content).filter(([type]) => FORM.test(type));
  return forms.flatMap(([, { schema }]) => (typeof schema?.$ref === 'string' ? [nameOf(schema.$ref)] : []));
}

function withoutDefault({ additionalProperties, ...schema }: Schema): Schema {
  return additionalProperties === undefined || additionalProperties === true
    ? schema
    : { ...schema, additionalProperties };
}
