import { isRelation, referencedNames } from '../src/component-references.ts';
import { flatten } from './flatten.ts';
import type { Document, OperationNode, PathItem, Schema } from './openapi.ts';
import { type Found, findOperations } from './operations.ts';

interface Described extends OperationNode {
  readonly summary?: string;
  readonly description?: string;
}

type Describe = (operation: Operation) => readonly string[];

/** What a description is composed of. */
interface Operation extends Found {
  readonly document: Document;
  /** What the operation is about, as in its summary: `a vendor`, `vendors`. */
  readonly thing: string;
}

/**
 * The document with a description of each operation that follows the conventions and has none in the files: what it
 * returns, and what happens in the connected system.
 */
export function describeOperations(document: Document): Document {
  const paths = new Map(Object.entries(document.paths));
  for (const found of findOperations(document)) {
    const { path, method } = found.operation;
    const { description, summary = '' } = found.node as Described;
    const thing = summary.replace(/^\w+ /, '');
    const sentences = TEXTS[found.operation.kind]?.({ ...found, document, thing }) ?? [];
    if (description !== undefined || sentences.length === 0) continue;
    const described = { ...found.node, description: sentences.join(' ') };
    paths.set(path, { ...paths.get(path), [method]: described } as PathItem);
  }
  return { ...document, paths: Object.fromEntries(paths) };
}

const READ_BACK = 'as read back from there';

/**
 * Sentences by the kind of the operation. They do not repeat the descriptions of parameters and responses that all writes
 * share.
 */
const TEXTS: Partial<Record<Found['operation']['kind'], Describe>> = {
  list: (operation) => [
    `Returns a page of ${operation.thing} from the copy of the connected system, without deleted records.`,
    ...relationsOf(operation),
  ],
  get: (operation) => [
    `Returns ${operation.thing} from the copy of the connected system. A deleted record is returned with \`_deletedAt\`.`,
    ...relationsOf(operation),
  ],
  create: (operation) => [
    `Creates ${operation.thing} in the connected system and returns it ${READ_BACK}.`,
    ...requiredOf(operation),
  ],
  update: ({ thing }) => [
    `Changes ${thing} in the connected system and returns it ${READ_BACK}.`,
    'Only the fields that are sent change; null clears a field.',
  ],
  replace: ({ thing }) => [`Sets every writable field of ${thing}; fields that are not sent are cleared.`],
  delete: ({ thing }) => [
    `Deletes ${thing} in the connected system. A record that others refer to is kept if the system refuses to delete it.`,
  ],
};

/** The relations that can be expanded, as they are declared. */
function relationsOf({ document, operation: { entity = '' } }: Operation): readonly string[] {
  const schema = document.components.schemas?.[entity];
  const fields = Object.entries((schema && flatten(document, schema).properties) ?? {});
  const names = fields.flatMap(([name, property]) => (isExpandable(property) ? [`\`${name}\``] : []));
  return names.length === 0 ? [] : [`\`expand\` accepts ${listed(names)}.`];
}

/** Whether a property can be expanded to the record that it names. */
function isExpandable(property: Schema): boolean {
  return isRelation(property) && referencedNames(property).length > 1;
}

function requiredOf({ document, operation: { entity = '' } }: Operation): readonly string[] {
  const schema = document.components.schemas?.[`${entity}Input`];
  const names = (schema && flatten(document, schema).required) ?? [];
  if (names.length === 0) return [];
  return [`${listed(names.map((name) => `\`${name}\``))} ${names.length === 1 ? 'is' : 'are'} required.`];
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
