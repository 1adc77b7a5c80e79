import type { NarrowedEntity } from './token-access.ts';

type Doc = Readonly<Record<string, unknown>>;
type Labels = Pick<NarrowedEntity, 'hidesLabel' | 'showsLabelOf'>;

/** A reference as records contain it. */
interface Reference extends Doc {
  readonly id: string;
  readonly rel: string;
  readonly _idValue: string;
}

/** JSON text of a stored record without the labels that a request may not see. */
export function labelledText(entity: Labels, text: string): string {
  return entity.showsLabelOf ? JSON.stringify(withoutHiddenLabels(entity, JSON.parse(text))) : text;
}

/**
 * A record in which `_displayValue` is replaced by `_idValue` wherever the request may not see the label: the label of the
 * record itself, and the labels of the records that it refers to, including within its objects.
 */
export function withoutHiddenLabels({ hidesLabel, showsLabelOf }: Labels, record: Doc): Doc {
  if (!showsLabelOf) return record;
  const shown = Object.entries(record).map(([name, value]) => [name, withoutLabels(value, showsLabelOf)]);
  const own: Doc = Object.fromEntries(shown);
  return hidesLabel ? { ...own, _displayValue: own._idValue } : own;
}

function withoutLabels(value: unknown, shows: (entity: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutLabels(each, shows));
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) return shownReference(value, shows);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutLabels(each, shows)]));
}

/** A reference, without the label if the request may not see it. */
export function shownReference<Link extends { readonly rel: string; readonly _idValue: string }>(
  link: Link,
  shows: (entity: string) => boolean,
): Link {
  return shows(link.rel) ? link : { ...link, _displayValue: link._idValue };
}

function isReference(value: object): value is Reference {
  return 'rel' in value && 'id' in value && '_idValue' in value;
}
