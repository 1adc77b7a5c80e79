import type { Platform, Row } from '@unified/connectors';
import type { Scope, WriteOp } from '@unified/store';
import { findTargets } from '../write/find-targets.ts';
import { faultOf, keyOf, meantBy, noMatch, type ReferenceFault, unresolved } from '../write/reference-faults.ts';
import { type GivenReference, referencesIn, targetsInAction, targetsInEntity } from '../write/references.ts';

/** A body that is to be written, and to what. */
export interface Written {
  readonly entity: string;
  readonly op: WriteOp;
  readonly action?: string | null;
  readonly body: Row;
}

/**
 * Refuses references that can never fit, before anything is queued: the document says so, or an `id` is none of a record
 * of that kind here. Ids are given out by this service and never taken back, so an `id` that it does not have stays
 * unknown. Other keys are left to the worker: the write before, or the connected system, may bring the record. `within`
 * is the place of each body in the request. Throws SERVICE_UNRESOLVED_REFERENCE with every fault.
 */
export async function checkReferences(
  scope: Scope,
  platform: Platform,
  bodies: readonly Written[],
  within: (index: number) => string = () => '',
): Promise<void> {
  const all = bodies.flatMap((written, index) =>
    referencesIn(targetsIn(scope, written), written.body).map((reference) => ({
      ...reference,
      field: `${within(index)}${reference.field}`,
    })),
  );
  if (all.length === 0) return;
  const wrong = new Map(all.map((reference) => [reference, faultOf(reference)]));
  const byId = all.filter((reference) => !wrong.get(reference) && keyOf(reference)?.property === 'id');
  for (const fault of await unknownIds(scope, platform, byId)) wrong.set(fault.reference, fault);
  const faults = [...wrong.values()].filter((fault) => fault !== undefined);
  if (faults.length > 0) throw unresolved(faults);
}

/** Where a body may hold references, and to what. */
export function targetsIn({ entities }: Scope, { entity, op, action }: Omit<Written, 'body'>) {
  return op === 'action'
    ? targetsInAction(entities[entity], action ?? '')
    : targetsInEntity(entities, entities[entity]);
}

/** Those of the references that name no record by their `id`; of kinds that the platform does not have, none is judged. */
async function unknownIds(
  scope: Scope,
  platform: Platform,
  references: readonly GivenReference[],
): Promise<ReferenceFault[]> {
  const judged = references.flatMap((reference) => {
    const kinds = meantBy(reference).filter((entity) => Object.hasOwn(platform.mappings, entity));
    const id = keyOf(reference)?.value.toLowerCase();
    return kinds.length > 0 && id !== undefined ? [{ reference, kinds, id }] : [];
  });
  const wanted = new Map<string, Set<string>>();
  for (const { kinds, id } of judged)
    for (const kind of kinds) wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  const found = await Promise.all([...wanted].map(([kind, ids]) => findTargets(scope, kind, 'id', [...ids])));
  const known = new Set(found.flat().map(({ entity, id }) => `${entity} ${id}`));
  return judged
    .filter(({ kinds, id }) => !kinds.some((kind) => known.has(`${kind} ${id}`)))
    .map(({ reference }) => noMatch(reference));
}
