import { writeNotFound } from '@unified/engine';
import type { WriteError, WriteRecord } from '@unified/store';
import { everything, outsideAccess } from '../query/token-access.ts';
import type { DataContext } from './context.ts';
import type { Limits } from './token-limits.ts';

/** Names of the entities whose writes the token shows: those that it gives access to, and the members of views. */
export function namesOfWrites({ scope, narrow }: Limits): readonly string[] | undefined {
  if (narrow === everything) return undefined;
  const visible = Object.values(scope.entities).flatMap((entity) => narrow(entity) ?? []);
  return [...new Set(visible.flatMap(({ name, view = [] }) => [name, ...view.map((member) => member.entity)]))];
}

/**
 * A write record of an entity that the token gives access to. Throws the same `SERVICE_NOT_FOUND` for others as for an unknown
 * one.
 */
export async function visibleWrite(context: DataContext, writeId: string): Promise<WriteRecord> {
  const write = await context.engine.writeById(context.scope, writeId);
  const names = namesOfWrites(context);
  if (names !== undefined && !names.includes(write.entity)) throw writeNotFound();
  return write;
}

/**
 * Refuses to change a write that the token does not show, and one of which it shows only some fields, because a change concerns
 * all of them. Throws `SERVICE_NOT_FOUND` and `SERVICE_FORBIDDEN`.
 */
export async function checkChangeableWrite(context: DataContext, writeId: string): Promise<void> {
  if (context.narrow === everything) return;
  const { entity } = await visibleWrite(context, writeId);
  if (visibleFields(context, entity)) throw outsideAccess(`all fields of ${entity}`);
}

/** A write record without the fields that the token gives no access to. */
export function shownWrite(write: WriteRecord, limits: Limits): WriteRecord {
  const names = limits.narrow === everything ? undefined : visibleFields(limits, write.entity);
  if (names === undefined) return write;
  const isVisible = (path: string) => names.has(path.split(/[./[]/)[0] ?? '');
  const { result } = write;
  return {
    ...write,
    result: result && {
      ...result,
      links: result.links.filter(({ field }) => isVisible(field)),
      record: Object.fromEntries(Object.entries(result.record).filter(([name]) => isVisible(name))),
    },
    warnings: write.warnings.filter(({ field }) => isVisible(field)),
    resolvedRefs: write.resolvedRefs.filter(({ field }) => isVisible(field)),
    customFields: names.has('customFields') ? write.customFields : {},
    error: shownError(write.error, isVisible),
    steps: write.steps.map((step) => ({ ...step, error: shownError(step.error, isVisible) })),
  };
}

/** The error of a write. Its message and details may have values that were sent, so they are shown for visible fields only. */
function shownError(error: WriteError | null, isVisible: (path: string) => boolean): WriteError | null {
  const isShown = error?.details.every((detail) => {
    const { field, path } = (detail ?? {}) as { readonly field?: unknown; readonly path?: unknown };
    const place = field ?? path;
    return typeof place === 'string' && isVisible(place.replace(/^body\//, ''));
  });
  if (!error || (isShown && error.details.length > 0)) return error;
  return { code: error.code, message: 'The write failed.', details: [] };
}

/** Names of the fields of an entity that the token gives access to, directly or as a member of a view; undefined: all. */
function visibleFields({ scope, narrow }: Limits, name: string): ReadonlySet<string> | undefined {
  const showing = Object.values(scope.entities).flatMap((entity) => {
    const shows = entity.name === name || entity.view?.some((member) => member.entity === name);
    return (shows && narrow(entity)) || [];
  });
  const own = showing.find((entity) => entity.name === name);
  if (own && !own.isPartial) return undefined;
  return new Set(showing.flatMap(({ fields }) => fields.map((field) => field.name)));
}
