import type { Stream } from '@unified/connectors';
import type { Entity } from '@unified/contract';
import type { ConnectionModel } from '../model/connection-model.ts';

/** Names of the streams that each stream points to. */
type Targets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The streams of a model in the order in which they are read: a stream comes after those that its records point to, so that
 * records need not be derived again when the targets of their references arrive. In a cycle, lists of references are given the
 * least weight: a document has one list of lines, but each line has a reference. Otherwise, the order is that of the platform.
 */
export function streamsByRelation(model: ConnectionModel, entities: Readonly<Record<string, Entity>>): Stream[] {
  const place = new Map(model.platform.streams.map((stream, index) => [stream.name, { stream, index }]));
  const inPlace = (names: readonly string[]) =>
    names.toSorted((a, b) => (place.get(a)?.index ?? 0) - (place.get(b)?.index ?? 0));
  const single = targetsOf(model, entities, (isList) => !isList);
  const all = targetsOf(model, entities, () => true);
  return groupsOf([...place.keys()], all)
    .flatMap((cycle) => groupsOf(inPlace(cycle), single).flatMap(inPlace))
    .flatMap((name) => place.get(name)?.stream ?? []);
}

/** The targets of the references in the fields that count. */
function targetsOf(
  { mappings, platform }: ConnectionModel,
  entities: Readonly<Record<string, Entity>>,
  counts: (isList: boolean) => boolean,
): Targets {
  const targets = new Map(platform.streams.map(({ name }) => [name, new Set<string>()]));
  for (const { stream, entity, references } of Object.values(mappings)) {
    for (const reference of references) {
      const target = Object.hasOwn(mappings, reference.entity) ? mappings[reference.entity]?.stream : undefined;
      const isList = entities[entity]?.field[reference.field]?.kind === 'relations';
      if (target !== undefined && counts(isList)) targets.get(stream)?.add(target);
    }
  }
  return targets;
}

/**
 * Groups of streams that point to each other in a cycle, directly or indirectly. A stream that is not part of a cycle is a
 * group of its own. A group comes after the groups that it points to. (Tarjan's algorithm; only targets among `names` count.)
 */
function groupsOf(names: readonly string[], targets: Targets): string[][] {
  const order = new Map(names.map((name, index) => [name, index]));
  const visited = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];
  const visit = (name: string): number => {
    const number = visited.size;
    visited.set(name, number);
    const depth = open.push(name) - 1;
    let lowest = number;
    const next = [...(targets.get(name) ?? [])].filter((target) => order.has(target));
    for (const target of next.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))) {
      const seen = visited.get(target);
      if (seen === undefined) lowest = Math.min(lowest, visit(target));
      else if (open.includes(target)) lowest = Math.min(lowest, seen);
    }
    if (lowest === number) groups.push(open.splice(depth));
    return lowest;
  };
  for (const name of names) if (!visited.has(name)) visit(name);
  return groups;
}
