import { type Entity, type Request, recordAddress } from '@unified/contract';
import {
  budgetOf,
  type Change,
  type ChangeSelection,
  type ChangesAfter,
  changesAfter,
  documents,
} from '@unified/store';
import { shownText } from '../query/field-selection.ts';
import { everything, type NarrowedEntity } from '../query/token-access.ts';
import { takingTurns } from './taking-turns.ts';
import type { Limits } from './token-limits.ts';
import { shownRecords } from './visible-records.ts';

/** Which changes to read, and what to include with them. */
export interface ChangeQuery extends Pick<ChangeSelection, 'entities' | 'kinds'> {
  /** Maximum number of changes. */
  readonly limit: number;
  /** Maximum total number of bytes of the changes. The first change is returned in any case. */
  readonly largestBytes: number;
  /** What to include with each change. */
  readonly include?: Request<'listChanges'>['query']['include'];
}

/** Changes as a token shows them. */
export interface ShownChanges extends Omit<ChangesAfter, 'changes'> {
  readonly changes: readonly ShownChange[];
}

export interface ShownChange extends Pick<Change, 'seq'> {
  readonly json: string;
}

/** Changes after a cursor, or from the oldest one (null), as far as the token shows them. Throws the errors of `changesAfter`. */
export async function shownChanges(limits: Limits, cursor: string | null, query: ChangeQuery): Promise<ShownChanges> {
  const { limit, largestBytes, entities, kinds, include = [] } = query;
  const found = await changesAfter(limits.scope, cursor, limit, { entities, kinds, shown: shownRecords(limits) });
  const visible = found.changes.flatMap((change) => visibleChange(change, limits) ?? []);
  for (let count = visible.length; ; count = Math.ceil(count / 2)) {
    const most = count > 1 ? largestBytes : Number.POSITIVE_INFINITY;
    const changes = await rendered(visible.slice(0, count), include, { ...limits, most });
    if (!changes) continue;
    if (count === visible.length) return { ...found, changes };
    return { changes, cursor: String(changes.at(-1)?.seq), hasMore: true };
  }
}

/** A change with the fields that the token shows, and the entity at whose address it shows the record. */
interface VisibleChange {
  readonly change: Omit<Change, 'views'> & { readonly href: string };
  readonly shownBy: NarrowedEntity | undefined;
}

/** Undefined for an update of fields that are all hidden from the token. */
function visibleChange(logged: Change, limits: Limits): VisibleChange | undefined {
  const { seq, kind, entity, id, at } = logged;
  const showing = entitiesShowing(logged, limits);
  const fields = visibleFieldsOf(logged, showing);
  const [shownBy] = showing;
  const href = recordAddress(limits.scope.publicUrl, shownBy?.collection ?? '', id);
  return fields && { change: { seq, kind, entity, id, fields, href, at }, shownBy };
}

/** The entities through which the token shows the record, its own first, as far as the token allows their use. */
function entitiesShowing({ entity: name, views }: Change, { scope, narrow }: Limits): NarrowedEntity[] {
  const own = scope.entities[name];
  if (narrow === everything) return own ? [own] : [];
  const shows = ({ name: each, view }: Entity) =>
    views.includes(each) || (view && view.length > 1 && view.some(({ entity }) => entity === name));
  const showing = Object.values(scope.entities).filter((each) => each !== own && shows(each));
  return [...(own ? [own] : []), ...showing].flatMap((each) => narrow(each) ?? []);
}

/** The changed fields that one of these entities shows; undefined for an update that changes only other fields. */
function visibleFieldsOf(
  { entity, kind, fields }: Change,
  showing: readonly NarrowedEntity[],
): readonly string[] | undefined {
  const isWhole = showing.some(({ name, isPartial }) => name === entity && !isPartial);
  if (isWhole) return fields;
  const visible = fields.filter((name) => showing.some(({ field }) => field[name]));
  return visible.length > 0 || kind !== 'updated' ? visible : undefined;
}

type Included = NonNullable<ChangeQuery['include']>;

/** Maximum number of bytes of changes. The number of characters of a text is roughly its number of bytes. */
type Bounded = Limits & { readonly most: number };

/** Changes as JSON, with what they include; undefined if they have too many bytes. */
async function rendered(
  visible: readonly VisibleChange[],
  include: Included,
  limits: Bounded,
): Promise<ShownChange[] | undefined> {
  const recordOf = include.length > 0 ? await recordsOf(visible, limits) : () => null;
  if (!recordOf) return undefined;
  const turn = takingTurns();
  const changes: ShownChange[] = [];
  let left = limits.most;
  for (const each of visible) {
    const { seq, fields } = each.change;
    const json = withParts(JSON.stringify(each.change), include, recordOf(each), fields);
    left -= json.length;
    if (left < 0) return undefined;
    changes.push({ seq, json });
    await turn();
  }
  return changes;
}

/** Adds the record, or the values of the fields that changed, to the JSON of a change. */
function withParts(change: string, include: Included, record: string | null, fields: readonly string[]): string {
  if (include.length === 0) return change;
  const parts = include.map((part) => `,"${part}":${part === 'record' ? record : valuesIn(record, fields)}`);
  return `${change.slice(0, -1)}${parts.join('')}}`;
}

function valuesIn(record: string | null, fields: readonly string[]): string {
  if (record === null) return 'null';
  const values: Readonly<Record<string, unknown>> = JSON.parse(record);
  return JSON.stringify(Object.fromEntries(fields.flatMap((name) => (name in values ? [[name, values[name]]] : []))));
}

/**
 * Reads the changed records, with one query per entity. Returns a function that returns a record as JSON, in the form in which
 * its address returns it, or null if the record is no longer there. Undefined if the records have too many bytes.
 */
async function recordsOf(visible: readonly VisibleChange[], { scope, most }: Bounded) {
  const budget = budgetOf(most);
  const records = new Map<NarrowedEntity, Map<string, string>>();
  for (const [entity, group] of Map.groupBy(visible, ({ shownBy }) => shownBy)) {
    if (!entity) continue;
    const ids = new Set(group.map(({ change }) => change.id));
    records.set(entity, await documents(scope, entity, [...ids], budget));
    if (budget.isExceeded) return undefined;
  }
  return ({ shownBy, change }: VisibleChange): string | null => {
    const text = shownBy && records.get(shownBy)?.get(change.id);
    return shownBy && text !== undefined ? shownText(shownBy, text) : null;
  };
}
