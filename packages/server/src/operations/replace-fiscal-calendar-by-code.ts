import { entities, type Request, ServiceError } from '@unified/contract';
import { page } from '@unified/store';
import { changeRecord } from './change-records.ts';
import type { DataContext } from './context.ts';

const entity = entities.FiscalCalendar;

/** Replaces the fiscal calendar that the body names by `id` or, without one, by `code`. */
export async function replaceFiscalCalendarByCode(
  request: Request<'replaceFiscalCalendarByCode'>,
  context: DataContext,
) {
  const { id, ...input } = request.body;
  return changeRecord(request, context, entity, { op: 'replace', id: id ?? (await idOf(input.code, context)), input });
}

async function idOf(code: string | undefined, { scope }: DataContext): Promise<string> {
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
