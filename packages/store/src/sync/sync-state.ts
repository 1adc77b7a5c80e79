import { type Scope, sessionOf } from '../access/scope.ts';

/** State of the synchronization of one stream. Times are RFC 3339; null if there is no such time. */
export interface SyncState {
  readonly stream: string;
  /** High-water mark of the last finished pass, as returned by the driver. */
  readonly cursor: unknown;
  /** The current pass, or null. */
  readonly passId: string | null;
  readonly passMode: 'full' | 'incremental' | null;
  /** High-water mark to keep as `cursor` when the pass ends. */
  readonly passMark: unknown;
  /** Where the current pass continues; null at its first page. */
  readonly passFrom: unknown;
  readonly passStartedAt: string | null;
  readonly lastSuccessAt: string | null;
  readonly runningSince: string | null;
  /** The last error, as the source reported it. */
  readonly error: string | null;
  /** Its error code; null if there is no error, or if it was stored by an earlier release. */
  readonly errorCode: string | null;
  /** When the stream first failed with this code since its last complete pass. */
  readonly failingSince: string | null;
  readonly rowsSeen: number;
  readonly nextRunAt: string | null;
  /** Seconds that the last full pass took which began and ended in one run; null: not known. */
  readonly fullSeconds: number | null;
  /** The same for the last pass that read changes. */
  readonly changesSeconds: number | null;
}

type Patch = Partial<Omit<SyncState, 'stream'>>;

const JSON_COLUMNS = new Set(['cursor', 'passMark', 'passFrom']);
const COLUMNS = [
  ...['cursor', 'passId', 'passMode', 'passMark', 'passFrom', 'passStartedAt', 'lastSuccessAt', 'runningSince'],
  ...['error', 'errorCode', 'failingSince', 'rowsSeen', 'nextRunAt', 'fullSeconds', 'changesSeconds'],
] as const;
const SELECTED = ['stream', ...COLUMNS].map((name) => `"${name}"`).join(', ');

/** All streams of the connection that have been synchronized or planned. */
export async function syncStates(scope: Scope): Promise<SyncState[]> {
  return sessionOf(scope).run<SyncState>(
    `select ${SELECTED} from unified.sync_streams where connection_id = $1 order by stream`,
    [scope.connectionId],
  );
}

/** One stream; null before its first save. */
export async function syncState(scope: Scope, stream: string): Promise<SyncState | null> {
  const [row] = await sessionOf(scope).run<SyncState>(
    `select ${SELECTED} from unified.sync_streams where connection_id = $1 and stream = $2`,
    [scope.connectionId, stream],
  );
  return row ?? null;
}

/** Updates the properties in `patch` and returns the new state. */
export async function saveSyncState(scope: Scope, stream: string, patch: Patch): Promise<SyncState> {
  const given = Object.entries(patch).filter(([name, value]) => value !== undefined && isColumn(name));
  const names = given.map(([name]) => `"${name}"`);
  const values = given.map(([name, value]) => storable(name, value));
  const places = given.map((_, index) => `, $${index + 3}`).join('');
  const updates =
    names.length > 0 ? names.map((name) => `${name} = excluded.${name}`).join(', ') : 'stream = excluded.stream';
  const [row] = await sessionOf(scope).run<SyncState>(
    `insert into unified.sync_streams (${['connection_id', 'stream', ...names].join(', ')}) values ($1, $2${places})
     on conflict (connection_id, stream) do update set ${updates} returning ${SELECTED}`,
    [scope.connectionId, stream, ...(values as (string | number | null)[])],
  );
  if (!row) throw new Error(`The state of stream ${stream} was not saved.`);
  return row;
}

/** An error is text from a connected system, and PostgreSQL would refuse NUL in it. */
function storable(name: string, value: unknown): unknown {
  if (name === 'error' && typeof value === 'string') return value.replaceAll('\0', '\u{FFFD}').toWellFormed();
  return JSON_COLUMNS.has(name) && value !== null ? JSON.stringify(value) : value;
}

function isColumn(name: string): boolean {
  return (COLUMNS as readonly string[]).includes(name);
}
