import type { Scope } from '@unified/store';
import type { ConnectionModel } from '../model/connection-model.ts';
import { type GivenReference, referencesIn, targetsIn, type WriteBody } from '../write/given-references.ts';
import { findTargets } from '../write/lookup-reference.ts';
import { faultOf, keyOf, meantBy, noMatch, type ReferenceFault, unresolved } from '../write/reference-faults.ts';

/**
 * Refuses references that can never match a record, before anything is queued: they do not fit the document, or no record
 * of the entity has the `id`, or only a deleted one. This service issues ids and never reuses them, so an unknown `id`
 * stays unknown. Other keys are left to the worker, because an earlier write or the connected system may create the record.
 * `within` is the path of each body in the request. Throws SERVICE_UNRESOLVED_REFERENCE with every fault.
 */
export async function checkReferences(
  scope: Scope,
  model: ConnectionModel,
  bodies: readonly WriteBody[],
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
  for (const fault of await unknownIds(scope, model, byId)) wrong.set(fault.reference, fault);
  const faults = [...wrong.values()].filter((fault) => fault !== undefined);
  if (faults.length > 0) throw unresolved(faults);
}

/** References whose `id` matches no record. References to entities that the system does not have are not checked. */
async function unknownIds(
  scope: Scope,
  model: ConnectionModel,
  references: readonly GivenReference[],
): Promise<ReferenceFault[]> {
  const judged = references.flatMap((reference) => {
    const kinds = meantBy(reference).filter((entity) => Object.hasOwn(model.mappings, entity));
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
