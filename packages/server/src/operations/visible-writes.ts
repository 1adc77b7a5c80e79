import { type Entity, firstField, referredEntities } from '@unified/contract';
import { writeNotFound } from '@unified/engine';
import type { WriteError, WriteRecord, WriteResolvedRef } from '@unified/store';
import { shownReference } from '../query/hidden-labels.ts';
import { everything, outsideAccess } from '../query/token-access.ts';
import type { DataContext } from './context.ts';
import type { Limits } from './token-limits.ts';
import { shownRecords } from './visible-records.ts';

/** A write record that the token shows. Throws the same `SERVICE_NOT_FOUND` for a hidden write as for an unknown one. */
export async function visibleWrite({ engine, ...context }: DataContext, writeId: string): Promise<WriteRecord> {
  const shown = shownRecords(context);
  if (!shown) return engine.writeById(context.scope, writeId);
  const { data } = await engine.listWrites(context.scope, { writeId, shown, limit: 1 });
  if (data[0]) return data[0];
  throw writeNotFound();
}

/**
 * Refuses a change of a write that the token does not show, or of which it shows only some fields, because a change concerns
 * all of them. Throws `SERVICE_NOT_FOUND` and `SERVICE_FORBIDDEN`.
 */
export async function checkChangeableWrite(context: DataContext, writeId: string): Promise<void> {
  if (context.narrow === everything) return;
  const { entity } = await visibleWrite(context, writeId);
  if (visibleFields(context, entity)) throw outsideAccess(`all fields of ${entity}`);
}

/** A write record without the fields and the labels that the token gives no access to. */
export function shownWrite(write: WriteRecord, limits: Limits): WriteRecord {
  if (limits.narrow === everything) return write;
  const visibility = visibilityOf(limits, write.entity);
  const { isVisible, isOpen, showsLabelOf } = visibility;
  const { result } = write;
  return {
    ...write,
    result: result && {
      ...result,
      links: result.links.filter(({ field }) => isVisible(field)).map((link) => shownReference(link, showsLabelOf)),
      record: Object.fromEntries(Object.entries(result.record).filter(([name]) => isVisible(name))),
    },
    // The text of a warning may contain the label of a record.
    warnings: write.warnings
      .filter(({ field }) => isVisible(field))
      .map((each) => (isOpen(each.field) ? each : { ...each, message: 'The value was not stored as it was sent.' })),
    resolvedRefs: write.resolvedRefs
      .filter(({ field }) => isVisible(field))
      .map((each) => shownResolution(each, showsLabelOf)),
    customFields: isVisible('customFields') ? write.customFields : {},
    error: shownError(write.error, visibility),
    steps: write.steps.map((step) => ({ ...step, error: shownError(step.error, visibility) })),
  };
}

/** What a token shows of the writes of an entity. Paths begin with the name of a field. */
interface Visibility {
  /** Whether the token gives access to the field. */
  isVisible(path: string): boolean;
  /** Whether it gives access to the field, and no text about the field can contain a label that the token hides. */
  isOpen(path: string): boolean;
  /** Whether the token shows the labels of the records of an entity. */
  showsLabelOf(entity: string): boolean;
  /** Whether the token gives access to all fields, and no text about them can contain a label that it hides. */
  readonly isWhole: boolean;
}

function visibilityOf(limits: Limits, name: string): Visibility {
  const { scope, narrow } = limits;
  const names = visibleFields(limits, name);
  const isVisible = (path: string) =>
    (names === undefined || names.has(firstField(path))) && showsLineField(limits, scope.entities[name], path);
  const showsLabelOf = (entity: string) => {
    const target = scope.entities[entity];
    const narrowed = target && narrow(target);
    return narrowed !== undefined && !narrowed.hidesLabel;
  };
  const targets = targetsByField(scope.entities[name]);
  const isOpen = (path: string) => isVisible(path) && (targets.get(firstField(path)) ?? []).every(showsLabelOf);
  const isWhole = names === undefined && [...targets.values()].flat().every(showsLabelOf);
  return { isVisible, isOpen, showsLabelOf, isWhole };
}

/** Whether the token gives access to the line field in a path such as `lines[0].price`; true if the path names none. */
function showsLineField(limits: Limits, entity: Entity | undefined, path: string): boolean {
  const lines = entity?.field[firstField(path)];
  const name = path.split(/[./[\]]+/).find((part, index) => index > 0 && part !== '' && !/^\d+$/.test(part));
  if (name === undefined || !lines?.holdsLines) return true;
  return (lines.targets ?? []).every((target) => visibleFields(limits, target)?.has(name) ?? true);
}

/** Names of the entities that the bodies of creates, updates and actions may refer to, by field name. */
function targetsByField(entity: Entity | undefined): ReadonlyMap<string, readonly string[]> {
  const targets = new Map<string, readonly string[]>();
  for (const field of entity?.fields ?? []) targets.set(field.name, referredEntities([field], { withLines: true }));
  for (const [path, names] of (entity?.actions ?? []).flatMap(({ references }) => Object.entries(references)))
    targets.set(firstField(path), [...(targets.get(firstField(path)) ?? []), ...names]);
  return targets;
}

/** A resolved reference. What was sent reveals a label if the record was found by its label. */
function shownResolution(each: WriteResolvedRef, showsLabelOf: Visibility['showsLabelOf']): WriteResolvedRef {
  if (showsLabelOf(each.link.rel)) return each;
  const link = { ...shownReference(each.link, showsLabelOf), matchedOn: 'id' } as const;
  return { ...each, given: { id: link.id }, matchedOn: 'id', link };
}

/** The error of a write. Its message and details may contain values that were sent, so they are shown only for open fields. */
function shownError(error: WriteError | null, { isOpen, isWhole }: Visibility): WriteError | null {
  const places = (error?.details ?? []).map((detail) => {
    const { field, path } = (detail ?? {}) as { readonly field?: unknown; readonly path?: unknown };
    return String(field ?? path ?? '').replace(/^body\//, '');
  });
  const isShown = places.every((place) => (place === '' ? isWhole : isOpen(place)));
  if (!error || (isShown && (isWhole || places.length > 0))) return error;
  return { code: error.code, status: error.status, message: 'The write failed.', details: [] };
}

/**
 * Names of the fields that the token shows in every write of an entity, through access to the entity or to a view of it;
 * undefined means all. A write record does not state which views contain its record. Therefore the fields of a view of part of
 * the entity count only if no access covers all writes of the entity; if there are several such views, only the fields that
 * they share count.
 */
function visibleFields({ scope, narrow }: Limits, name: string): ReadonlySet<string> | undefined {
  const showing = Object.values(scope.entities).flatMap((entity) => {
    const shows = entity.name === name || entity.view?.some((member) => member.entity === name);
    return (shows && narrow(entity)) || [];
  });
  const own = showing.find((entity) => entity.name === name);
  if (own && !own.isPartial) return undefined;
  const ofAll = showing.filter(({ view }) => view?.length !== 1);
  const counted = ofAll.length > 0 ? ofAll : showing;
  const names = counted.flatMap(({ fields }) => fields.map((field) => field.name));
  return new Set(ofAll.length > 0 ? names : names.filter((each) => showing.every(({ field }) => field[each])));
}
