import { documents, entityIn } from '@unified/store';
import type { Expansion } from '../query/record-shape.ts';
import type { DataContext } from './context.ts';

interface Reference {
  readonly id: string;
  readonly rel: string;
}
type Doc = Record<string, unknown>;
/** The position of a reference to replace in a document: a property, or an index of a list. */
interface Place {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly reference: Reference;
  readonly inner: Expansion;
}

/** Replaces references by full records, level by level, with one query per kind of target and level. */
export async function expandRecords(context: DataContext, docs: readonly Doc[], expansion: Expansion): Promise<void> {
  let places = docs.flatMap((doc) => placesIn(doc, expansion));
  while (places.length > 0) {
    const targets = await loadTargets(context, places);
    places = places.flatMap(({ holder, key, reference, inner }) => {
      const text = targets.get(reference.rel)?.get(reference.id);
      if (text === undefined) return [];
      // Each position gets its own copy: the same target may be expanded further in one place and not in another.
      const target: Doc = JSON.parse(text);
      holder[key] = target;
      return placesIn(target, inner);
    });
  }
}

function placesIn(doc: Doc, expansion: Expansion): Place[] {
  return [...expansion].flatMap(([name, inner]) => {
    const value = doc[name];
    if (Array.isArray(value)) {
      return value.flatMap((item, key) => (isReference(item) ? [place(value, key, item, inner)] : []));
    }
    return isReference(value) ? [place(doc, name, value, inner)] : [];
  });
}

function place(holder: object, key: string | number, reference: Reference, inner: Expansion): Place {
  return { holder: holder as Place['holder'], key, reference, inner };
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && 'rel' in value && 'id' in value;
}

async function loadTargets({ scope }: DataContext, places: readonly Place[]) {
  const idsByKind = Map.groupBy(places, ({ reference }) => reference.rel);
  const loaded = [...idsByKind].map(async ([kind, group]) => {
    const ids = [...new Set(group.map(({ reference }) => reference.id))];
    return [kind, await documents(scope, entityIn(scope, kind), ids)] as const;
  });
  return new Map(await Promise.all(loaded));
}
