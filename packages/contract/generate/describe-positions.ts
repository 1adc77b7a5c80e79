import type { Document, PathItem } from './openapi.ts';
import { acceptsPosition, findOperations, POSITION } from './operations.ts';
import { namesOfResponses, withHeader } from './shared-responses.ts';

const HEADER = 'Data-Position';
/** Statuses of responses that contain what was read, or report what was done. */
const SUCCESSES = ['200', '201', '202', '204', '206'];

/**
 * The document in which operations that read a replica accept the position that they need, and the responses of all other
 * operations on data return one.
 */
export function describePositions(document: Document): Document {
  if (!document.components.parameters?.dataPosition) return document;
  const paths = new Map(Object.entries(document.paths));
  const positioned = new Set<string>();
  for (const { operation, node } of findOperations(document)) {
    const { path, method, surface, readsReplica } = operation;
    if (surface !== 'data' || acceptsPosition(node)) continue;
    if (readsReplica) {
      const read = { ...node, parameters: [...(node.parameters ?? []), POSITION] };
      paths.set(path, { ...paths.get(path), [method]: read } as PathItem);
    } else for (const name of namesOfResponses(node, SUCCESSES)) positioned.add(name);
  }
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, responses: withHeader(document, positioned, HEADER) },
  } as Document;
}
