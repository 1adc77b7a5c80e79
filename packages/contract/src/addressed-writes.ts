import { entityOf } from './entities.ts';
import { operations } from './operations.ts';

/** Operations on the records of an entity that write them. */
export const WRITES = ['create', 'update', 'replace', 'delete'] as const;

const addressed: ReadonlySet<string> = new Set(
  operations.flatMap(({ entity = '', kind }) => {
    const stored = entityOf(entity)?.view?.map((member) => member.entity) ?? [entity];
    return stored.map((name) => `${name} ${kind === 'createMany' ? 'create' : kind}`);
  }),
);

/** Writes that can be requested for an entity. A write to the address of a view is a write to one of its members. */
export function addressedWrites(entity: string): (typeof WRITES)[number][] {
  return WRITES.filter((write) => addressed.has(`${entity} ${write}`));
}
