import { type Events, ServiceError } from '@unified/contract';
import { awaitedChanges } from './awaited-changes.ts';
import type { DataContext } from './context.ts';
import { type ChangeQuery, type ShownChanges, shownChanges } from './shown-changes.ts';

/** Milliseconds after which a stream without changes sends a comment, and its credentials are checked again. */
const PAUSE_MS = 10_000;
/** Milliseconds after which a client reconnects when the stream has ended. */
const RETRY_MS = 1_000;
/**
 * Limits for the changes that are read at a time: their number and bytes. If a client reads slowly, the next ones are read
 * later.
 */
const BATCH = { limit: 500, largestBytes: 256_000 };

/**
 * Sends the changes after a cursor, or from the oldest one (null), as server-sent events until the client leaves, the server
 * closes, or the request is no longer allowed. Throws the errors of `shownChanges`, and SERVICE_RATE_LIMITED.
 */
export async function changeEvents(
  context: DataContext,
  cursor: string | null,
  selection: Pick<ChangeQuery, 'entities' | 'kinds' | 'include'>,
): Promise<Events> {
  const query = { ...selection, ...BATCH };
  const first = await positioned(context, await shownChanges(context, cursor, query));
  return { events: following({ context, query, ending: context.openStream() }, cursor, first) };
}

interface Stream {
  readonly context: DataContext;
  readonly query: ChangeQuery;
  readonly ending: AbortSignal;
}

async function* following(stream: Stream, cursor: string | null, first: Batch): AsyncGenerator<string, void> {
  yield `retry: ${RETRY_MS}\n${cursor === null ? '' : `id: ${cursor}\n`}\n`;
  let found: Batch | undefined = first;
  for (let from = cursor; found; from = found.cursor, found = await changesAfter(stream, from))
    yield eventsOf(found, from);
}

/** Changes, and a position of the data that includes them. */
interface Batch extends ShownChanges {
  readonly position: string | undefined;
}

async function positioned({ position }: DataContext, found: ShownChanges): Promise<Batch> {
  return { ...found, position: found.changes.length > 0 ? await position() : undefined };
}

/**
 * The next changes, or none after `PAUSE_MS`; undefined once the stream must end. Its client then reconnects, and gets the
 * error that ended the stream as a response.
 */
async function changesAfter({ context, query, ending }: Stream, cursor: string): Promise<Batch | undefined> {
  if (ending.aborted) return undefined;
  try {
    const found = await awaitedChanges(streaming(context, ending), cursor, query, PAUSE_MS);
    await context.recheck();
    return await positioned(context, found);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** A stream has no memory reserved while it waits, and uses one signal for its whole lifetime. */
function streaming(context: DataContext, ending: AbortSignal): DataContext {
  return { ...context, ending: () => ending, whileIdle: (work) => work() };
}

/** One event per change, and an event without data if changes follow that are not shown; a comment if there is nothing new. */
function eventsOf({ changes, cursor, position }: Batch, from: string | null): string {
  const place = position === undefined ? '' : `position: ${position}\n`;
  const events = changes.map(({ seq, json }) => `id: ${seq}\n${place}data: ${json}\n\n`);
  const last = changes.at(-1)?.seq ?? from;
  if (String(last) !== cursor) events.push(`id: ${cursor}\n\n`);
  return events.length > 0 ? events.join('') : ': no change\n\n';
}
