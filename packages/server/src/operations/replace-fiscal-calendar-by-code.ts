import { type Entity, entities, type Request, ServiceError } from '@unified/contract';
import { page } from '@unified/store';
import { changeRecord } from './change-records.ts';
import type { DataContext } from './context.ts';
import { narrowedEntity } from './token-limits.ts';

/** Replaces the fiscal calendar that the body names by `id` or, without one, by `code`. */
export async function replaceFiscalCalendarByCode(
  request: Request<'replaceFiscalCalendarByCode'>,
  context: DataContext,
) {
  const entity = narrowedEntity(entities.FiscalCalendar, context.narrow);
  const { id, ...input } = request.body;
  const named = id ?? (await idOf(entity, input.code, context));
  return changeRecord(request, context, entity, { op: 'replace', id: named, input });
}

async function idOf(entity: Entity, code: string | undefined, { scope }: DataContext): Promise<string> {
  const field = entity.field.code;
  if (code === undefined || field === undefined) throw unknownCalendar(code);
  const conditions = [{ field, operator: 'eq', value: code }] as const;
  const { docs, count } = await page(scope, entity, { conditions: [...conditions], sort: [], limit: 2 });
  if (count === 0) throw unknownCalendar(code);
  if (count > 1) {
    const message = `Several fiscal calendars have the code "${code}". Use the id of the one you mean.`;
    throw new ServiceError('SERVICE_AMBIGUOUS_REFERENCE', message, { details: [{ path: 'body/code', message }] });
  }
  return JSON.parse(docs[0] ?? '').id;
}

function unknownCalendar(code: string | undefined): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', `This connection has no fiscal calendar with the code "${code}".`);
}
