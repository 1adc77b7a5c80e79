import type { Field } from '@unified/contract';
import { labelledText, withoutHiddenLabels } from './hidden-labels.ts';
import type { NarrowedEntity } from './token-access.ts';

/** Fields of an object that are returned, each with the fields of the objects in it; undefined means the whole value. */
export type Selection = ReadonlyMap<string, Selection | undefined>;

type Doc = Record<string, unknown>;

/**
 * The fields of an entity's records; undefined if records are returned as they are stored. A view of part of an entity has only
 * some of the fields of the stored records. The same is true for an entity if a token gives access to only part of it. A view
 * of several entities returns each record as its own address would, if the token gives access to that.
 */
export function selectionOf({ view, fields, isPartial, hidesLabel }: NarrowedEntity): Selection | undefined {
  // Every record has a label; a hidden one is replaced.
  const label = hidesLabel ? ([['_displayValue', undefined]] as const) : [];
  if (view && (isPartial || view.length === 1)) return new Map([...namesOf(fields), ...label]);
  return isPartial ? new Map([...fields.map(({ name }) => [name, undefined] as const), ...label]) : undefined;
}

function namesOf(fields: readonly Field[]): Selection {
  return new Map(fields.map((field) => [field.name, field.fields && namesOf(field.fields)]));
}

/** The selected fields of an object, in its order. */
export function select(object: Doc, selection: Selection): Doc {
  const selected: Doc = {};
  for (const [name, value] of Object.entries(object))
    if (selection.has(name)) selected[name] = within(value, selection.get(name));
  return selected;
}

function within(value: unknown, selection: Selection | undefined): unknown {
  if (selection === undefined || typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map((each) => within(each, selection)) : select(value as Doc, selection);
}

/** JSON text of a stored record in the form in which the entity's address returns it. */
export function shownText(entity: NarrowedEntity, text: string): string {
  const selection = selectionOf(entity);
  if (!selection) return labelledText(entity, text);
  return JSON.stringify(select(withoutHiddenLabels(entity, JSON.parse(text)), selection));
}
