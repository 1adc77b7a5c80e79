import type { Document, OperationNode, PathItem } from './openapi.ts';
import { type Found, findOperations } from './operations.ts';
import { namesOfResponses, withHeader } from './shared-responses.ts';

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });
const NOT_MODIFIED = { $ref: '#/components/responses/NotModified' };
/** Statuses of responses that contain records. */
const WITH_RECORDS = ['200', '201'];

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
    if (returnsRecords(found)) for (const name of namesOfResponses(found.node, WITH_RECORDS)) tagged.add(name);
    if (node !== found.node) paths.set(path, { ...paths.get(path), [method]: node } as PathItem);
  }
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, responses: withHeader(document, tagged, 'ETag') },
  } as Document;
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
