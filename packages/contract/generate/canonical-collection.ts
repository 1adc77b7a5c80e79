import type { Found } from './operations.ts';

/** Collection that references point to: the one of the first list that is not deprecated, or otherwise of the first list. */
export function canonicalCollection(entity: string, found: readonly Found[]): string {
  const lists = found.filter(({ operation }) => operation.kind === 'list' && operation.entity === entity);
  const list = lists.find(({ operation }) => !operation.deprecated) ?? lists[0];
  return list?.operation.path.slice(1) ?? '';
}
