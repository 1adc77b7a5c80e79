import { ServiceError } from '@unified/contract';
import { isUuid } from '@unified/store';

/** The id after which a page continues. Throws SERVICE_INVALID_CURSOR. */
export function idOfCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isUuid(id)) throw new ServiceError('SERVICE_INVALID_CURSOR', 'The cursor is invalid. Start again without it.');
  return id;
}

/** A page of rows ordered by id. `rows` contains one more than `limit` if there are more. */
export function idPage<Row extends { readonly id: string }>(rows: readonly Row[], limit: number) {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  const next_cursor = last ? Buffer.from(last.id).toString('base64url') : null;
  return { meta: { current_page: null, per_page: limit, has_more: last !== undefined, next_cursor }, data };
}
