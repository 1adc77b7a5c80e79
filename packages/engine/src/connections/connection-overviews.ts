import { type Connection, listApplications, listConnections, type Store, syncStates } from '@unified/store';
import { modelOrProblems } from '../model/broken-platform.ts';
import { allSystems, type Systems } from '../model/systems.ts';
import { type StreamStatus, syncStatus } from '../sync/sync-status.ts';
import { applicationIn, type ConnectionParts, type Within } from './connection-parts.ts';

/** A connection with the status of its copy. Times are RFC 3339; null means never. */
export interface ConnectionOverview extends Connection {
  readonly applicationName: string;
  /** When a stream was last synchronized: the end of the run that read it. */
  readonly lastSyncAt: string | null;
  /** Earliest start among the streams that are being read; null if none is. */
  readonly runningSince: string | null;
  /** When the next stream is due. */
  readonly nextRunAt: string | null;
  readonly streams: number;
  /** Number of streams that were read completely at least once, including those of the run in progress. */
  readonly streamsRead: number;
  /** Number of streams whose last run failed. */
  readonly streamsFailing: number;
  /** One line per problem, with its stream or file. */
  readonly problems: readonly string[];
}

/** The connections of one or all applications, oldest first, with their problems. */
export async function connectionOverviews(
  { store, systems = allSystems }: Pick<ConnectionParts, 'store' | 'systems'>,
  within: Within,
): Promise<ConnectionOverview[]> {
  const names = new Map((await listApplications(store)).map(({ id, name }) => [id, name]));
  const overviews: ConnectionOverview[] = [];
  for (const connection of await listConnections(store, applicationIn(within))) {
    const applicationName = names.get(connection.applicationId) ?? '';
    overviews.push({ ...connection, applicationName, ...(await copyOf(store, systems, connection)) });
  }
  return overviews;
}

type Copy = Omit<ConnectionOverview, keyof Connection | 'applicationName'>;

async function copyOf(store: Store, systems: Systems, connection: Connection): Promise<Copy> {
  const model = await modelOrProblems({ store, systems }, connection);
  const scope = store.scope({ applicationId: connection.applicationId, connectionId: connection.id });
  const statuses = await syncStatus(scope, model);
  const since = new Map((await syncStates(scope)).map(({ stream, failingSince }) => [stream, failingSince]));
  const times = (pick: 'lastSuccessAt' | 'nextRunAt' | 'runningSince') =>
    statuses.flatMap((status) => status[pick] ?? []).sort((a, b) => Date.parse(a) - Date.parse(b));
  return {
    lastSyncAt: times('lastSuccessAt').at(-1) ?? null,
    runningSince: times('runningSince')[0] ?? null,
    nextRunAt: times('nextRunAt')[0] ?? null,
    streams: statuses.length,
    streamsRead: statuses.filter(({ lastSuccessAt, lastFullAt }) => (lastSuccessAt ?? lastFullAt) !== null).length,
    streamsFailing: statuses.filter(({ error }) => error !== null).length,
    problems: statuses.flatMap((status) => problemsOf(status, since.get(status.stream) ?? null)),
  };
}

function problemsOf({ stream, error, problems }: StreamStatus, failingSince: string | null): string[] {
  const values = problems.map(({ entity, field, message, count, example }) => {
    const place = [entity, field].filter(Boolean).join('.');
    return `${place}: ${message}${count === null ? '' : ` (${valuesOf(count, example)})`}`;
  });
  const since = failingSince === null ? '' : ` (since ${failingSince})`;
  return error === null ? values : [`${stream}: ${error}${since}`, ...values];
}

/** `3 values, for example "storno"` */
function valuesOf(count: number, example: string | null): string {
  const shown = example === null ? '' : `, for example ${JSON.stringify(example)}`;
  return `${count} ${count === 1 ? 'value' : 'values'}${shown}`;
}
