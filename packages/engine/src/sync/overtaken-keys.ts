import type { Stream } from '@unified/connectors';
import { type Change, changesAfter, documents, latestChange, type Scope } from '@unified/store';

/** A range of the change log of a connection: after `from`, up to and including `until`. */
export interface LogRange {
  readonly from: number;
  readonly until: number;
}

const BATCH = 1000;

/** Sequence number of the latest change; constant within a transaction that locks the log. */
export async function logEnd(scope: Scope): Promise<number> {
  return Number(await latestChange(scope));
}

/**
 * Keys of rows of a stream whose records were changed after `since`, the end of the log when their page was requested.
 * Changes by the sync itself (`own`) do not count. Call it while the transaction locks the log.
 */
export async function overtakenKeys(
  scope: Scope,
  stream: Stream,
  entities: readonly string[],
  since: number,
  own: LogRange | null,
): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const range of withoutOwn({ from: since, until: await logEnd(scope) }, own)) {
    const changes = (await changesIn(scope, range)).filter(({ entity }) => entities.includes(entity));
    for (const [entity, group] of Map.groupBy(changes, (change) => change.entity)) {
      for (const key of await keysOf(scope, stream, entity, group)) keys.add(key);
    }
  }
  return keys;
}

/** The parts of a range outside `own`. */
export function withoutOwn({ from, until }: LogRange, own: LogRange | null): LogRange[] {
  const parts = own
    ? [
        { from, until: Math.min(until, own.from) },
        { from: Math.max(from, own.until), until },
      ]
    : [{ from, until }];
  return parts.filter((part) => part.from < part.until);
}

async function changesIn(scope: Scope, { from, until }: LogRange): Promise<Change[]> {
  const found: Change[] = [];
  for (let cursor = String(from); ; ) {
    const page = await changesAfter(scope, cursor, BATCH);
    found.push(...page.changes.filter(({ seq }) => seq <= until));
    if (!page.hasMore || Number(page.cursor) >= until) return found;
    cursor = page.cursor;
  }
}

async function keysOf(scope: Scope, stream: Stream, entityName: string, changes: readonly Change[]): Promise<string[]> {
  const entity = scope.entities[entityName];
  if (!entity) return [];
  const docs = await documents(scope, entity, [...new Set(changes.map(({ id }) => id))]);
  return [...docs.values()].flatMap((doc) => {
    const { _source, _idValue } = JSON.parse(doc);
    return _source === stream.name ? [String(_idValue)] : [];
  });
}
