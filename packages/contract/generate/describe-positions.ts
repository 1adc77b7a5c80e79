import type { Document, OperationNode, PathItem } from './openapi.ts';
import { type Found, findOperations } from './operations.ts';
import { namesOfResponses, withHeader } from './shared-responses.ts';

const HEADER = 'Data-Position';
const PARAMETER = { $ref: '#/components/parameters/dataPosition' };
/** Statuses of responses that contain what was read, or report what was done. */
const SUCCESSES = ['200', '201', '202', '204', '206'];

/**
 * The document in which reads of records accept the position that they need, and the responses of all other operations on data
 * return one. An operation that is neither a list nor a get reads a replica only if it has the parameter itself.
 */
export function describePositions(document: Document): Document {
  if (!document.components.parameters?.dataPosition) return document;
  const paths = new Map(Object.entries(document.paths));
  const positioned = new Set<string>();
  for (const { operation, node } of findOperations(document)) {
    const { path, method, surface } = operation;
    if (surface !== 'data' || accepts(node)) continue;
    if (isRead(operation)) {
      const read = { ...node, parameters: [...(node.parameters ?? []), PARAMETER] };
      paths.set(path, { ...paths.get(path), [method]: read } as PathItem);
    } else for (const name of namesOfResponses(node, SUCCESSES)) positioned.add(name);
  }
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, responses: withHeader(document, positioned, HEADER) },
  } as Document;
}

function isRead({ kind, entity }: Found['operation']): boolean {
  return entity !== undefined && (kind === 'list' || kind === 'get');
}

function accepts({ parameters = [] }: OperationNode): boolean {
  return parameters.some((each) => '$ref' in each && each.$ref === PARAMETER.$ref);
}
