import type { PulledPage, PullRequest } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { encodeScalar } from './encode-scalar.ts';
import type { Roles } from './roles.ts';
import type { RowReader } from './row-reader.ts';
import { optionsOf, type StreamOptions } from './stream-options.ts';
import { isWireObject, type Wire } from './wire.ts';

/**
 * Reads one page by the id that the last page ended with, so that rows that come or go meanwhile move nothing. An
 * incremental pass reads what was created or written since its mark, or has related rows that were.
 */
export async function pull(reader: RowReader, roles: Roles, request: PullRequest): Promise<PulledPage> {
  const { stream, mode, since, from, limit, signal } = request;
  const options = optionsOf(stream);
  const after = isWireObject(from) && typeof from.after === 'number' ? from.after : 0;
  const domain: Wire[] = [['id', '>', after]];
  if (mode === 'incremental' && since !== null) domain.push(await changedSince(since, options, roles));
  const rows = await reader.search(options, domain, limit, { signal });
  const last = rows.at(-1)?.id;
  return {
    rows: rows.map((row) => ({ key: String(row.id), row })),
    next: rows.length < limit || typeof last !== 'number' ? null : { after: last },
  };
}

/** `write_date` is empty until the first change, so both dates count. */
async function changedSince(mark: unknown, { touchedBy = [], rolesAt }: StreamOptions, roles: Roles): Promise<Wire> {
  if (typeof mark !== 'string') throw new SystemError('invalid', `The mark of the last pass is no moment: ${mark}`);
  const since = encodeScalar('datetime', mark);
  const dated = (prefix: string): Wire[] =>
    ['write_date', 'create_date'].map((field) => [`${prefix}${field}`, '>=', since]);
  const mentioned = rolesAt === 'id' ? [['id', 'in', await roles.mentionedSince(since)]] : [];
  return ['OR', ...dated(''), ...touchedBy.flatMap((relation) => dated(`${relation}.`)), ...mentioned];
}
