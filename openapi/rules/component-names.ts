import { isNode } from './place.ts';
import type { Context, Node, Rule } from './redocly.ts';

/**
 * Names that generated code reserves: utility types of TypeScript, and the client, which most generators call
 * `Client`.
 */
const TAKEN = new Set(
  `Awaited Capitalize ConstructorParameters Exclude Extract InstanceType NonNullable Omit Parameters Partial Pick Promise
   Readonly Record Required ReturnType Uncapitalize Uppercase Lowercase Client`.split(/\s+/),
);

type Kind = 'schema' | 'response' | 'parameter';

interface Component {
  readonly kind: Kind;
  readonly name: string;
  readonly node: Node;
}

/**
 * Generators create a type for each component, in one namespace and often regardless of case, and name the type of an
 * enumeration within a schema after both. Some name the type of an operation's outcome `<operationId>Response`. All of these
 * names must differ; only a response can have the name of the one schema that it contains.
 */
export const componentNames: Rule = () => {
  const found = new Map<string, Component>();
  const outcomes: GeneratedType[] = [];
  return {
    Operation({ operationId }: Node) {
      outcomes.push({ name: `${operationId}Response`, what: `the outcome of \`${operationId}\`` });
    },
    ref(reference, context) {
      const component = componentOf(reference, context);
      if (component) found.set(`${component.kind} ${component.name}`, component);
    },
    Root: {
      leave(_: Node, { report }: Context) {
        for (const message of problems([...found.values()], outcomes)) report({ message });
      },
    },
  };
};

const SECTIONS: Readonly<Record<string, Kind>> = { schemas: 'schema', responses: 'response', parameters: 'parameter' };

/** What a reference points to: an entry of `schemas`, `responses` or `parameters`, as a key or as a file of that name. */
function componentOf(reference: Node, context: Context): Component | undefined {
  const { node, location } = context.resolve(reference);
  const file = location?.source.absoluteRef.replace(/\.yaml$/, '') ?? '';
  const [section = '', name = ''] = `${file}${location?.pointer.slice(1)}`.split('/').slice(-2);
  const kind = SECTIONS[section];
  return kind && isNode(node) ? { kind, name, node } : undefined;
}

function problems(components: readonly Component[], outcomes: readonly GeneratedType[]): string[] {
  const types = [...components.map(typeOf), ...components.flatMap(enumerationsOf), ...outcomes];
  const byName = Object.groupBy(types, ({ name }) => name.toLowerCase());
  const taken = components.filter(({ kind, name }) => kind === 'schema' && TAKEN.has(name));
  return [
    ...taken.map(({ name }) => `The schema \`${name}\` has a name that generated code reserves.`),
    ...Object.values(byName).flatMap((same = []) =>
      same.length > 1 ? [`The same name is used for ${same.map(({ what }) => what).join(' and ')}.`] : [],
    ),
  ];
}

interface GeneratedType {
  readonly name: string;
  readonly what: string;
}

function typeOf({ kind, name, node }: Component): GeneratedType {
  const shown = kind === 'response' && contains(node, name) ? `${name}:response` : name;
  return { name: shown, what: `the ${kind} \`${name}\`` };
}

function contains({ content }: Node, name: string): boolean {
  const media = isNode(content) ? Object.values(content) : [];
  return media.every((each) => isNode(each) && isNode(each.schema) && String(each.schema.$ref).endsWith(`/${name}`));
}

function enumerationsOf({ kind, name, node }: Component): GeneratedType[] {
  const properties = kind === 'schema' && isNode(node.properties) ? Object.entries(node.properties) : [];
  return properties.flatMap(([property, schema]) =>
    isNode(schema) && Array.isArray(schema.enum)
      ? [{ name: name + property, what: `the enumeration \`${property}\` of \`${name}\`` }]
      : [],
  );
}
