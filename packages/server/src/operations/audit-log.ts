import type { Request } from '@unified/contract';
import { type ApplicationScope, type AuditEntry, type AuditQuery, pageOfAudit } from '@unified/store';
import type { ManagementContext } from './context.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { notAcceptable } from './not-acceptable.ts';
import { timeOf } from './time-of.ts';

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';
/** Number of entries that an export reads at a time. */
const EXPORTED_AT_ONCE = 500;

/** Newest first, as a page, or all of them as JSON lines. Throws SERVICE_INVALID_PARAMETER and SERVICE_NOT_ACCEPTABLE. */
export async function listAuditEntries(
  { query }: Request<'listAuditEntries'>,
  { application, role, accepts }: ManagementContext,
) {
  const { per_page = 50, cursor, actor, action, target } = query;
  const wanted = {
    ...{ actor, action, target, withOperators: role === 'admin' },
    ...{ since: timeOf('since', query.since), until: timeOf('until', query.until), before: idOfCursor(cursor) },
  };
  const type = accepts([JSON_TYPE, LINES_TYPE]);
  if (type === undefined) throw notAcceptable([JSON_TYPE, LINES_TYPE]);
  if (type === LINES_TYPE) return { status: 200, type, body: jsonLines(application, wanted), headers: VARY } as const;
  const rows = await pageOfAudit(application, { ...wanted, limit: per_page + 1 });
  return { status: 200, body: idPage(rows, per_page), headers: VARY } as const;
}

const VARY = { Vary: 'Accept' };

/** One line per entry. The next entries are read once the client has received the previous ones. */
async function* jsonLines(
  application: ApplicationScope,
  wanted: Omit<AuditQuery, 'limit'>,
): AsyncGenerator<Uint8Array, void> {
  let { before } = wanted;
  let entries: AuditEntry[];
  do {
    entries = await pageOfAudit(application, { ...wanted, before, limit: EXPORTED_AT_ONCE });
    before = entries.at(-1)?.id;
    yield Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  } while (entries.length === EXPORTED_AT_ONCE);
}
