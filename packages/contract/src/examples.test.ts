import { describe, expect, it } from 'vitest';
import { flatten } from '../generate/flatten.ts';
import type { Body, Document, Media, Schema } from '../generate/openapi.ts';
import { resolve } from './component-references.ts';
import { clientDocument, entities, entityOf, type Field, type Operation, operations } from './index.ts';

const document = clientDocument() as unknown as Document;

const WRITES: readonly string[] = ['create', 'createMany', 'update', 'replace', 'delete', 'action'];

interface Described {
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
}

function nodeOf({ path, method }: Operation): Described {
  return (clientDocument().paths[path]?.[method] ?? {}) as Described;
}

function parameterExamples(operation: Operation): [string, unknown][] {
  const { parameters = [] } = clientDocument().paths[operation.path] as Described;
  const all = [...parameters, ...(nodeOf(operation).parameters ?? [])].map((each) =>
    resolve<Parameter>(document, each as Parameter),
  );
  return all.flatMap(({ name, in: place, example }) =>
    place === 'query' && example !== undefined ? [[name, example]] : [],
  );
}

/** Fields that the example of a parameter names. */
function namedFields(parameter: string, example: unknown): string[] {
  if (parameter === 'filter') return Object.keys(example as object).map((each) => each.split(':')[0] ?? '');
  const isList = ['sort', 'fields', 'expand', 'extend'].includes(parameter);
  return isList
    ? String(example)
        .split(',')
        .map((each) => each.replace(/^-/, '').split('.')[0] ?? '')
    : [];
}

it('references to entries of classifications have a label that suits their field', () => {
  const unsuitable = Object.entries(document.components.schemas ?? {}).flatMap(([name, schema]) =>
    Object.entries(flatten(document, schema).properties ?? {})
      .filter(([field]) => !['category', 'parent'].includes(field))
      .filter(([, { examples }]) => JSON.stringify(examples ?? '').includes('"_displayValue":"Standard parts"'))
      .map(([field]) => `${name}.${field}`),
  );
  expect(unsuitable).toEqual([]);
});

describe('examples of parameters', () => {
  it('name fields that the entity of the operation has', () => {
    // The columns of raw rows are those of the connected system.
    const described = operations.filter(({ path }) => !path.startsWith('/raw/'));
    const unknown = described.flatMap((operation) =>
      parameterExamples(operation).flatMap(([name, example]) =>
        namedFields(name, example)
          .filter((field) => !entityOf(operation.entity ?? '')?.field[field])
          .map((field) => `${operation.id}: ${name} names ${field}`),
      ),
    );
    expect(unknown).toEqual([]);
  });
});

interface Reference {
  readonly rel?: string;
  readonly href?: string;
  readonly _displayValue?: string;
}

/**
 * The reference in the example of a property, or the first one if that is a list; otherwise the example of its shared schema.
 */
function referenceIn(schema: Schema | undefined): Reference | undefined {
  if (schema === undefined) return undefined;
  const { examples, items, anyOf } = resolve<Schema>(document, schema);
  if (examples === undefined) return referenceIn(items ?? anyOf?.find(({ $ref }) => $ref));
  return [examples].flat(2)[0] as Reference | undefined;
}

describe('examples of references', () => {
  const relations = Object.values(entities).flatMap(({ name, fields }) =>
    fields.flatMap((field): [string, Field, Schema | undefined][] => {
      const { properties } = flatten(document, { $ref: `#/components/schemas/${name}` });
      return field.targets ? [[name, field, properties?.[field.name]]] : [];
    }),
  );

  it('show a record that the field can point to, at its address', () => {
    expect(relations.length).toBeGreaterThan(500);
    const wrong = relations.filter(([, { targets = [] }, schema]) => {
      const { rel = '', href } = referenceIn(schema) ?? {};
      return !targets.includes(rel) || !href?.includes(`/${entityOf(rel)?.collection}/`);
    });
    expect(wrong.map(([entity, { name }]) => `${entity}.${name}`)).toEqual([]);
  });

  it('show the same record in bodies as in responses', () => {
    const wrong = relations.filter(([entity, { name }, schema]) => {
      const sent = document.components.schemas?.[`${entity}Patch`];
      const property = sent && flatten(document, sent).properties?.[name];
      // Lines are sent as objects.
      const isReference = property?.examples !== undefined;
      return isReference && referenceIn(property)?._displayValue !== referenceIn(schema)?._displayValue;
    });
    expect(wrong.map(([entity, { name }]) => `${entity}.${name}`)).toEqual([]);
  });
});

describe('examples of records', () => {
  it.each(Object.values(entities))('$name: the common fields are those of such a record', ({ name, view }) => {
    const { properties } = flatten(document, { $ref: `#/components/schemas/${name}` });
    const members = [name, ...(view ?? []).map(({ entity }) => entity)];
    const [implemented] = (properties?._implements?.examples ?? []) as string[][];
    expect(implemented?.[0]).toBe('Entity');
    expect(members).toContain(implemented?.[1]);
    const [code] = (properties?.code?.examples ?? []) as string[];
    const sent = document.components.schemas?.[`${name}Patch`];
    const [sentCode = code] = ((sent && flatten(document, sent).properties?.code?.examples) ?? []) as string[];
    expect(code).toBe(sentCode);
  });
});

/** Values of a property in an example, at any depth. */
function valuesOf(property: string, example: unknown): unknown[] {
  if (typeof example !== 'object' || example === null) return [];
  return Object.entries(example).flatMap(([name, value]) => [
    ...(name === property ? [value] : []),
    ...valuesOf(property, value),
  ]);
}

describe('examples of bodies and responses', () => {
  const media = operations.flatMap((operation) => {
    const { requestBody, responses = {} } = nodeOf(operation);
    const found = [
      requestBody ?? {},
      ...Object.values(responses).map((each) => resolve<Described['requestBody'] & object>(document, each)),
    ];
    const examples = found.flatMap(({ content = {} }) =>
      Object.values(content).flatMap(({ example }) => (example === undefined ? [] : [example])),
    );
    return examples.map((example) => ({ operation, example }));
  });

  it('name no other operation, and only entities that exist', () => {
    const isOperation = (id: unknown) => operations.some((each) => each.id === id);
    const wrong = media.flatMap(({ operation, example }) => [
      ...valuesOf('operation', example).filter((id) => isOperation(id) && id !== operation.id),
      ...valuesOf('rel', example).filter((rel) => !entityOf(String(rel))),
    ]);
    expect(wrong).toEqual([]);
  });

  it('of the write record, which every write returns, name no other operation', () => {
    const writes = operations.filter(({ kind }) => WRITES.includes(kind));
    const named = writes.map((operation) => {
      const { responses = {} } = nodeOf(operation);
      return { operation, properties: propertiesNamed('operation', Object.values(responses).flatMap(schemasOf)) };
    });
    expect(named.filter(({ properties }) => properties.length === 0)).toEqual([]);
    const wrong = named.flatMap(({ operation, properties }) =>
      properties
        .flatMap(({ examples = [] }) => examples as readonly unknown[])
        .filter((example) => example !== operation.id)
        .map((example) => `${operation.id}: ${example}`),
    );
    expect(wrong).toEqual([]);
  });
});

function schemasOf(response: object): Schema[] {
  const content: Readonly<Record<string, Media>> = resolve<Body>(document, response).content ?? {};
  return Object.values(content).flatMap(({ schema }) => (schema ? [schema] : []));
}

/** Properties with this name in these schemas and in all schemas that they refer to. */
function propertiesNamed(name: string, schemas: readonly Schema[], seen = new Set<string>()): Schema[] {
  const found: Schema[] = [];
  for (const schema of schemas) {
    if (schema.$ref && seen.has(schema.$ref)) continue;
    if (schema.$ref) seen.add(schema.$ref);
    const { allOf = [], anyOf = [], items, properties = {} } = resolve<Schema>(document, schema);
    if (properties[name]) found.push(properties[name]);
    const parts = [...allOf, ...anyOf, ...(items ? [items] : []), ...Object.values(properties)];
    found.push(...propertiesNamed(name, parts, seen));
  }
  return found;
}
