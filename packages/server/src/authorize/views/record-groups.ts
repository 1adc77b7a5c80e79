import type { Platform } from '@unified/connectors';
import { clientDocument, operations } from '@unified/contract';

/** Kinds of records in one group, by their tags in the document. */
export interface RecordGroup {
  readonly group: string;
  readonly read: readonly string[];
  readonly written: readonly string[];
}

const tags = new Map(operations.flatMap(({ kind, entity, tag }) => (kind === 'list' && entity ? [[entity, tag]] : [])));

/** The tag of the records of an entity, such as `Work Orders`; the name of the entity if it has no list. */
export function tagOf(entity: string): string {
  return tags.get(entity) ?? entity;
}

/** What an application can read from a platform, and what it can create or change there, in the order of the document. */
export function recordGroups({ mappings }: Pick<Platform, 'mappings'>): RecordGroup[] {
  const { 'x-tagGroups': groups } = clientDocument() as unknown as {
    'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  };
  const found = Object.values(mappings).map(({ entity, writes, actions }) => ({
    tag: tagOf(entity),
    isWritten: writes.size > 0 || Object.keys(actions).length > 0,
  }));
  return groups.flatMap(({ name, tags: order }) => {
    const of = order.flatMap((tag) => found.find((each) => each.tag === tag) ?? []);
    const read = of.map(({ tag }) => tag);
    const written = of.filter(({ isWritten }) => isWritten).map(({ tag }) => tag);
    return read.length > 0 ? [{ group: name, read, written }] : [];
  });
}
