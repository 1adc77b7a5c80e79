import type { OpenApiDocument } from './document.ts';
import { earlierOperations, earlierVersion } from './earlier-version.ts';
import { operations } from './operations.ts';

type Node = Readonly<Record<string, unknown>>;
type Components = OpenApiDocument['components'];

interface OperationNode {
  readonly operationId?: string;
  readonly tags?: readonly string[];
}

/** Chapters of the guide in the description begin with a heading; this one describes the earlier version. */
const CHAPTER = '# Version 3\n';
const HEADERS = ['Deprecation', 'Link'];
const NOT_FOUND = 'SERVICE_NOT_FOUND';

/** The document of the earlier version, derived from the current document. */
export function earlierDocument(document: OpenApiDocument): OpenApiDocument {
  const paths = pathsOf(document);
  const tags = new Set(operationsIn(paths).flatMap((node) => node.tags ?? []));
  const { webhooks: _, 'x-tagGroups': __, ...kept } = document;
  return {
    ...kept,
    info: { ...document.info, version: '3.0.0', description: chapterOf(document) },
    servers: [{ url: serverOf(document), description: 'This server.' }],
    tags: (document.tags as readonly { readonly name: string }[]).filter(({ name }) => tags.has(name)),
    paths,
    components: used(paths, {
      ...document.components,
      responses: mapped(document.components.responses ?? {}, described),
    }),
  };
}

function pathsOf({ paths }: OpenApiDocument): OpenApiDocument['paths'] {
  const ids = new Set(earlierOperations(operations).map(({ id }) => id));
  const items = Object.entries(paths).map(([path, item]): [string, Node] => {
    const parts = Object.entries(item).filter(([, part]) => isShared(part) || ids.has(idOf(part) ?? ''));
    return [path, Object.fromEntries(parts.map(([name, part]) => [name, isShared(part) ? part : deprecated(part)]))];
  });
  return Object.fromEntries(items.filter(([, item]) => Object.values(item).some((part) => !isShared(part))));
}

/** Whether an entry of a path item is not an operation, such as its parameters. */
function isShared(part: unknown): boolean {
  return idOf(part) === undefined;
}

function idOf(part: unknown): string | undefined {
  return (part as OperationNode | null)?.operationId;
}

function deprecated(part: unknown): Node {
  return { ...(part as Node), deprecated: true };
}

function operationsIn(paths: OpenApiDocument['paths']): readonly OperationNode[] {
  return Object.values(paths).flatMap(
    (item) => Object.values(item).filter((part) => !isShared(part)) as OperationNode[],
  );
}

/** A response with the deprecation headers. Errors also include the code for a version that is not selected. */
function described(response: Node): Node {
  const references = HEADERS.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  const headers = { ...(response.headers as Node), ...Object.fromEntries(references) };
  const codes = response['x-codes'] as Readonly<Record<string, readonly string[]>> | undefined;
  if (!codes || codes[404]?.includes(NOT_FOUND)) return { ...response, headers };
  return {
    ...response,
    headers,
    description: `${response.description}\n- 404: \`${NOT_FOUND}\`, if the application has not selected this version`,
    'x-codes': { ...codes, 404: [NOT_FOUND, ...(codes[404] ?? [])] },
  };
}

function chapterOf({ info: { description = '' } }: OpenApiDocument): string {
  const chapter = description.split(/^(?=# )/m).find((each) => each.startsWith(CHAPTER));
  if (chapter === undefined) throw new Error(`The guide has no chapter "${CHAPTER.trim()}".`);
  return chapter;
}

function serverOf({ servers: [server] }: OpenApiDocument): string {
  if (!server) throw new Error('The document has no server.');
  return server.url.replace(/\/v\d+$/, earlierVersion.base);
}

function mapped(nodes: Node, change: (node: Node) => Node): Node {
  return Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, change(node as Node)]));
}

/** The components that paths refer to, directly or through others. */
function used(paths: OpenApiDocument['paths'], components: Components): Components {
  const found = new Set<string>();
  const unread: unknown[] = [paths, components.securitySchemes];
  for (let next = unread.pop(); next !== undefined; next = unread.pop()) {
    for (const [, kind = '', name = ''] of JSON.stringify(next).matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)) {
      if (found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      unread.push(components[kind]?.[name]);
    }
  }
  const kept = Object.entries(components).map(([kind, nodes]) => {
    const isKept = (name: string) => kind === 'securitySchemes' || found.has(`${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(nodes).filter(([name]) => isKept(name)))];
  });
  return Object.fromEntries(kept);
}
