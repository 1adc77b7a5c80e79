import { describe, expect, it } from 'vitest';
import { clientDocument } from './index.ts';

interface Node {
  readonly [keyword: string]: unknown;
}

const CONDITIONS = ['if', 'then', 'else', 'not'];
const SAMPLES = ['example', 'examples', 'x-errors'];

/** The objects of the document by their location, except examples, which are not schemas. */
function nodesIn(node: unknown, place = ''): [string, Node][] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).filter(([key]) => !SAMPLES.includes(key));
  return [[place, node as Node], ...inner.flatMap(([key, each]) => nodesIn(each, `${place}/${key}`))];
}

const { paths, components } = clientDocument();
const nodes = nodesIn({ paths, components });

describe('the served document, for generators of clients', () => {
  it('has each required property in the schema that requires it', () => {
    const requiring = nodes.filter(
      ([place, { required }]) => Array.isArray(required) && !CONDITIONS.some((each) => place.endsWith(`/${each}`)),
    );
    expect(requiring.length).toBeGreaterThan(500);
    const elsewhere = requiring.filter(([, { required, properties = {} }]) =>
      (required as readonly string[]).some((name) => !Object.hasOwn(properties as object, name)),
    );
    expect(elsewhere.map(([place]) => place)).toEqual([]);
  });

  it('has each property in one of the parts that a schema is made of, besides named schemas', () => {
    const composed = nodes.filter(([, { allOf }]) => Array.isArray(allOf));
    expect(composed.length).toBeGreaterThan(300);
    const repeated = composed.flatMap(([place, node]) => {
      const names = [node, ...(node.allOf as readonly Node[])].flatMap(({ properties = {} }) =>
        Object.keys(properties as object),
      );
      return names.filter((name, index) => names.indexOf(name) < index).map((name) => `${place}: ${name}`);
    });
    expect(repeated).toEqual([]);
  });

  it('has the format of a double for each number, except where the specification requires a float', () => {
    const numbers = nodes.filter(
      ([, { type }]) => type === 'number' || (Array.isArray(type) && type.includes('number')),
    );
    expect(numbers.length).toBeGreaterThan(300);
    expect(numbers.flatMap(([place, { format }]) => (format === 'double' ? [] : [`${place}: ${format}`]))).toEqual([
      '/components/schemas/AccountFields/properties/creditLimit: float',
      '/components/schemas/Account/allOf/2/properties/balance: float',
    ]);
  });

  it('has the format of each parameter that is a timestamp, or a pattern if it can also be a date', () => {
    const timestamps = nodes.filter(([, node]) => node.in === 'query' && /timestamp/.test(String(node.description)));
    expect(timestamps.map(([, { name }]) => name)).toContain('modified_after');
    const isExact = (node: Node) => /"format":"date-time"|"pattern":"\^\[0-9\]\{4\}-/.test(JSON.stringify(node.schema));
    expect(timestamps.filter(([, node]) => !isExact(node)).map(([place]) => place)).toEqual([]);
  });

  it('describes the errors of an operation once, in a response that similar operations share', () => {
    const responses = nodes.flatMap(([place, node]) => (/^\/paths\/.*\/responses$/.test(place) ? [node] : []));
    const statuses = responses.flatMap((each) => Object.keys(each)).filter((status) => /^[45]/.test(status));
    expect(statuses.length).toBeLessThan(responses.length / 10);
    const shared = Object.values(components.responses ?? {}).filter((each) => Object.hasOwn(each as object, 'x-codes'));
    expect(shared.length).toBeLessThan(responses.length / 10);
  });

  it('has no choice between a reference and a record in a property, except of several entities', () => {
    const refs = (node: Node) => ((node.anyOf ?? []) as readonly Node[]).flatMap(({ $ref }) => ($ref ? [$ref] : []));
    const choices = nodes.filter(
      ([place, node]) =>
        place.includes('/properties/') &&
        refs(node).includes('#/components/schemas/Relation') &&
        refs(node).length === 2,
    );
    expect(choices.map(([place]) => place)).toEqual([]);
  });

  it('has `X-Request-Id` in every response, and the headers of 401 and 405 in those of errors', () => {
    const described = nodes.filter(
      ([place, node]) => /^\/(components|paths\/.*)\/responses\/\w+$/.test(place) && !Object.hasOwn(node, '$ref'),
    );
    const without = (name: string) => (each: (typeof described)[number]) =>
      !Object.hasOwn((each[1].headers ?? {}) as object, name);
    const errors = described.filter(([, node]) => Object.hasOwn(node, 'x-codes'));
    expect(described.length).toBeGreaterThan(400);
    expect(errors.length).toBeGreaterThan(20);
    expect(described.filter(without('X-Request-Id')).map(([place]) => place)).toEqual([]);
    expect(errors.filter(without('WWW-Authenticate')).map(([place]) => place)).toEqual([]);
    expect(errors.filter(without('Allow')).map(([place]) => place)).toEqual([]);
  });
});
