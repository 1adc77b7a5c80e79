import { type Entity, ServiceError } from '@unified/contract';
import type { Condition } from '@unified/store';
import { parseMoment } from './moment.ts';

/** Condition of `modified_after`, or none. Throws `SERVICE_INVALID_PARAMETER` when it is no date or date-time. */
export function parseModifiedAfter(entity: Entity, text: string | undefined): Condition[] {
  const field = entity.field._updatedAt;
  if (text === undefined || field === undefined) return [];
  const value = parseMoment(text);
  if (value !== undefined) return [{ field, operator: 'gt', value }];
  const message = 'Send a date or a date-time with offset, for example 2026-11-01T00:00:00Z (a + as %2B).';
  throw new ServiceError('SERVICE_INVALID_PARAMETER', `modified_after: ${message}`, {
    details: [{ path: 'query/modified_after', message }],
  });
}
