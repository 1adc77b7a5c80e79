import type { ChangesRequest, PulledPage, PullRequest } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { encodeScalar } from './encode-scalar.ts';
import type { Flags } from './flags.ts';
import { type ModelOptions, optionsOf } from './options.ts';
import type { RowReader } from './row-reader.ts';
import type { Schemas } from './schemas.ts';
import { isWireObject, type Wire } from './wire.ts';

/** One page of a pass over all rows. */
export function pull(reader: RowReader, request: PullRequest): Promise<PulledPage> {
  return page(reader, optionsOf(request.stream), [], request);
}

/** One page of the rows that were created or changed since the mark, or whose related rows were. */
export async function pullChanges({ reader, ...parts }: ChangeParts, request: ChangesRequest): Promise<PulledPage> {
  const options = optionsOf(request.stream);
  const { since } = request;
  return page(reader, options, since === null ? [] : [await changedSince(since, options, parts)], request);
}

/** What finds and reads changed rows. */
interface ChangeParts {
  readonly reader: RowReader;
  readonly schemas: Schemas;
  readonly flags: Flags;
}

/**
 * Continues after the id that the last page ended with, so that rows that are added or deleted in the meantime do not
 * shift the pages.
 */
async function page(
  reader: RowReader,
  options: ModelOptions,
  conditions: readonly Wire[],
  { from, limit, signal }: PullRequest,
): Promise<PulledPage> {
  // The first page has no such condition: the id of a row that a module or a person added can be 0 or less.
  const behind: Wire[] = isWireObject(from) && typeof from.after === 'number' ? [['id', '>', from.after]] : [];
  const rows = await reader.search(options, [...behind, ...conditions], limit, { signal });
  const last = rows.at(-1)?.id;
  return {
    rows: rows.map((row) => ({ key: String(row.id), row })),
    next: rows.length < limit || typeof last !== 'number' ? null : { after: last },
  };
}

/**
 * Both dates are compared, because `write_date` is empty until the first change. Relations that the database lacks are left out.
 */
async function changedSince(
  mark: unknown,
  { model, touchedBy = [] }: ModelOptions,
  { schemas, flags }: Omit<ChangeParts, 'reader'>,
): Promise<Wire> {
  if (typeof mark !== 'string')
    throw new SystemError('invalid', `The mark of the last pass is not a timestamp: ${mark}`);
  const since = encodeScalar('datetime', mark);
  const dated = (prefix: string): Wire[] =>
    ['write_date', 'create_date'].map((field) => [`${prefix}${field}`, '>=', since]);
  const isFlagged = flags.of(model).size > 0;
  const referenced = isFlagged ? [['id', 'in', await flags.referencedSince(model, since)]] : [];
  const relations = [...(await schemas.existing(model, touchedBy)).values()];
  return ['OR', ...dated(''), ...relations.flatMap((relation) => dated(`${relation}.`)), ...referenced];
}
