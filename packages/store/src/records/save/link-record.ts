import type { Entity, MappedRecord, Reference } from '@unified/contract';
import type { Scope } from '../../access/scope.ts';
import type { Draft, Unresolved } from './draft.ts';
import { embeddings, showObjects } from './embedded-references.ts';
import type { Resolve } from './references.ts';
import { linkTo } from './render-document.ts';
import type { Target } from './targets.ts';

/** What the references of a record mean, its own and those within its objects. */
export function linkRecord(
  { publicUrl }: Scope,
  entity: Entity,
  { values, references }: MappedRecord,
  resolve: Resolve,
): Pick<Draft, 'values' | 'links' | 'unresolved'> {
  const unresolved: Unresolved[] = [];
  const found = (field: string, reference: Reference) => {
    const target = resolve(reference);
    if (target === null) unresolved.push({ ...reference, field });
    return target;
  };
  const links: Record<string, Draft['links'][string]> = {};
  for (const [field, value] of Object.entries(references)) {
    if (isList(value)) links[field] = value.flatMap((each) => found(field, each) ?? []);
    else links[field] = value === null ? null : found(field, value);
  }
  let shown = values;
  for (const embedding of embeddings(entity)) {
    const { name } = embedding.field;
    const targets: Target[] = [];
    const show = (reference: Reference) => {
      const target = found(name, reference);
      if (target) targets.push(target);
      return target && linkTo(target, publicUrl);
    };
    shown = { ...shown, [name]: showObjects(embedding, values[name], show) };
    links[name] = targets;
  }
  return { values: shown, links, unresolved };
}

function isList(value: MappedRecord['references'][string]): value is readonly Reference[] {
  return Array.isArray(value);
}
