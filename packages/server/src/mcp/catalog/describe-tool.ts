import { clientDocument, nameOf, type OpenApiDocument, resolve } from '@unified/contract';
import type { AnyTool, Tool } from './tools.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Reference {
  readonly $ref: string;
}

interface Described {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema?: Schema }>>;
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: Schema;
}

/**
 * A tool as agents see it. Its texts are those of the document, or of a third party as approved: no text of a record is part of
 * them.
 */
export interface ToolDescription {
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Schema;
}

/** Parameters that agents do not need: the service sets them itself, or offers the same through another parameter. */
const LEFT_OUT: ReadonlySet<string> = new Set(['page', 'extend', 'dryRun']);
const LONGEST = 2_000;
const LONGEST_SUMMARY = 200;
const described = new WeakMap<Tool, ToolDescription>();

/** What a tool does. */
export function summaryOf({ operation, ...tool }: AnyTool): string {
  if (operation) return nodeOf(operation).summary;
  return 'description' in tool ? (tool.description.split(/[.\n]/, 1)[0] ?? '').slice(0, LONGEST_SUMMARY) : '';
}

/** The description of a tool and the schema of its arguments, with the schemas that it refers to in `$defs`. */
export function describeTool(tool: AnyTool): ToolDescription {
  if (!tool.operation) return { description: tool.description, inputSchema: tool.inputSchema as Schema };
  const known = described.get(tool);
  if (known) return known;
  const { summary, description } = nodeOf(tool.operation);
  const text = description === undefined ? `${summary}.` : `${summary}. ${description}`;
  const made = { description: text.slice(0, LONGEST), inputSchema: inputSchemaOf(tool) };
  described.set(tool, made);
  return made;
}

function inputSchemaOf({ operation }: Tool): Schema {
  const document = clientDocument();
  const node = nodeOf(operation);
  const parameters = [...(itemOf(operation).parameters ?? []), ...(node.parameters ?? [])]
    .map((each) => resolve<Parameter>(document, each))
    .filter((each) => each.in !== 'header' && !LEFT_OUT.has(each.name));
  const body = node.requestBody?.content['application/json']?.schema;
  const properties = {
    ...Object.fromEntries(parameters.map(({ name, description, schema }) => [name, { ...schema, description }])),
    ...(body && { body }),
  };
  const required = [
    ...parameters.flatMap((each) => (each.in === 'path' ? [each.name] : [])),
    ...(body && node.requestBody?.required ? ['body'] : []),
  ];
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  return withDefinitions(document, schema);
}

/** The schema together with all schemas that it refers to, directly or indirectly, each once. */
function withDefinitions(document: OpenApiDocument, schema: Schema): Schema {
  const definitions: Record<string, unknown> = {};
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([name]) => !name.startsWith('x-') && name !== 'examples');
    return Object.fromEntries(
      entries.map(([name, item]) => {
        if (name !== '$ref' || typeof item !== 'string') return [name, moved(item)];
        const target = nameOf(item);
        if (!Object.hasOwn(definitions, target)) {
          definitions[target] = {};
          definitions[target] = moved(document.components.schemas?.[target]);
        }
        return [name, `#/$defs/${target}`];
      }),
    );
  };
  const own = moved(schema) as Schema;
  return Object.keys(definitions).length === 0 ? own : { ...own, $defs: definitions };
}

function itemOf({ path }: Tool['operation']): Pick<Described, 'parameters'> {
  return clientDocument().paths[path] ?? {};
}

function nodeOf({ path, method, id }: Tool['operation']): Described {
  const node = clientDocument().paths[path]?.[method];
  if (!node) throw new Error(`The document does not describe ${id}.`);
  return node as Described;
}
