import { nameOf } from '../src/component-references.ts';
import type { Body, Document, OperationNode, PathItem, Reference } from './openapi.ts';
import { type Found, findOperations } from './operations.ts';

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });
const NOT_MODIFIED = { $ref: '#/components/responses/NotModified' };
const ETAG = { $ref: '#/components/headers/ETag' };

/**
 * The document in which reads of records accept `If-None-Match`, writes of existing records accept `If-Match`, and responses
 * with records have `ETag`. All operations of these kinds support them, and none checks the headers before its handler.
 */
export function describePreconditions(document: Document): Document {
  if (!document.components.parameters?.ifMatch) return document;
  const paths = new Map(Object.entries(document.paths));
  const tagged = new Set<string>();
  for (const found of findOperations(document)) {
    const { path, method } = found.operation;
    const node = conditional(found);
    if (returnsRecords(found)) for (const name of namesOfResponses(found.node)) tagged.add(name);
    if (node !== found.node) paths.set(path, { ...paths.get(path), [method]: node } as PathItem);
  }
  const { responses = {}, ...components } = document.components;
  const described = Object.entries(responses).map(([name, each]) => [name, tagged.has(name) ? withTag(each) : each]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...components, responses: Object.fromEntries(described) },
  };
}

function conditional({ operation: { kind, entity }, node }: Found): OperationNode {
  const { parameters = [], responses = {} } = node;
  if (entity === undefined) return node;
  if (kind === 'list' || kind === 'get') {
    if (responses['304']) return node;
    return {
      ...node,
      parameters: [...parameters, parameter('ifNoneMatch')],
      responses: { ...responses, '304': NOT_MODIFIED },
    };
  }
  const changes = kind === 'update' || kind === 'replace' || kind === 'delete' || kind === 'action';
  return changes ? { ...node, parameters: [...parameters, parameter('ifMatch')] } : node;
}

function returnsRecords({ operation: { kind, entity } }: Found): boolean {
  return entity !== undefined && ['list', 'get', 'create', 'update', 'replace'].includes(kind);
}

/** Names of the shared responses that contain records. */
function namesOfResponses({ responses = {} }: OperationNode): string[] {
  const successes = [responses['200'], responses['201']];
  return successes.flatMap((each?: Body | Reference) => (each && '$ref' in each ? [nameOf(each.$ref)] : []));
}

function withTag(response: object): object {
  const { headers = {} } = response as { readonly headers?: object };
  return { ...response, headers: { ...headers, ETag: ETAG } };
}
