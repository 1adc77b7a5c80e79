import { flatDocument } from './flat-document.ts';
import type { Document } from './openapi.ts';

const PROSE = ['summary', 'description', 'example', 'examples', 'tags'];
/** Maps from names that the author chose to nodes; all of their keys are kept. */
const MAPS = ['properties', 'schemas', 'paths', 'responses', 'headers', 'parameters'];

/**
 * What callers depend on, as it is stored with a release: the bundled document without prose, examples and extensions. Every
 * `allOf` is flattened, because `redocly diff` does not detect across its parts that a property can no longer be sent.
 */
export function releasedForm(document: Document): Document {
  return bare(flatDocument(document)) as Document;
}

function bare(node: unknown, within = ''): unknown {
  if (Array.isArray(node)) return node.map((each) => bare(each));
  if (typeof node !== 'object' || node === null) return node;
  const isMap = MAPS.includes(within);
  const kept = Object.entries(node).filter(([key]) => isMap || !(PROSE.includes(key) || key.startsWith('x-')));
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value, isMap ? '' : key)]));
}
