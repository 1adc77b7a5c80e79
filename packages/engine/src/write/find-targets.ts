import type { ResolvedReference } from '@unified/connectors';
import { linkTo, type Scope, type Target, targets, type WriteResolvedRef } from '@unified/store';

/** A record that a reference may mean. */
export interface FoundTarget extends ResolvedReference {
  readonly href: string;
}

/** Records of an entity whose property `by` is exactly one of `values`. */
export async function findTargets(
  scope: Scope,
  entityName: string,
  by: WriteResolvedRef['matchedOn'],
  values: readonly string[],
): Promise<FoundTarget[]> {
  const entity = scope.entities[entityName];
  const found = entity ? await targets(scope, entity, by, values) : [];
  return found.map((target) => ({ ...named(target), href: linkTo(target, scope.publicUrl).href }));
}

function named({ id, _idValue, code, _displayValue, entity }: Target): ResolvedReference {
  return { id, _idValue, code, _displayValue, entity };
}
