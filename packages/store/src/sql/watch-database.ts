import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { withConnection } from './own-connection.ts';

export interface WatchOptions {
  readonly databaseUrl: string;
  /** Called once, when no connection could be opened for too long. */
  readonly onLost: (error: Error) => void;
  /** Milliseconds without a database after which it is lost. Default: five minutes. */
  readonly limitMs?: number;
  /** Milliseconds between two checks. Default: ten seconds, or five checks within the limit. */
  readonly everyMs?: number;
}

/** Milliseconds after which a database that accepts a connection, but does not respond, counts as lost. */
const STATEMENT_MS = 10_000;

/** SQLSTATE of a server that has reached its connection limit: busy, but available. */
const NO_CONNECTION_LEFT = '53300';

/** Checks regularly whether the database accepts connections, by opening one. */
export function watchDatabase(options: WatchOptions): { close(): void } {
  const { databaseUrl, onLost, limitMs = 300_000, everyMs = Math.min(10_000, limitMs / 5) } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const watch = async () => {
    // Counted from the first check that failed, so that a machine that was suspended is not considered to have lost its database.
    let failingSince: number | null = null;
    while (!signal.aborted) {
      const began = performance.now();
      const failure = await failureOf(databaseUrl);
      failingSince = failure && (failingSince ?? began);
      if (failure && performance.now() - (failingSince ?? 0) >= limitMs && !signal.aborted)
        return onLost(lost(failure, limitMs));
      // Rejects only when the wait is aborted.
      await pause(everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  void watch();
  return { close: () => closing.abort() };
}

async function failureOf(databaseUrl: string): Promise<Error | null> {
  try {
    await withConnection(databaseUrl, (client) => client.query('select 1'), { statementMs: STATEMENT_MS });
    return null;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NO_CONNECTION_LEFT) return null;
    return error instanceof Error ? error : new Error(String(error));
  }
}

function lost(cause: Error, limitMs: number): Error {
  const time = limitMs < 120_000 ? `${Math.ceil(limitMs / 1000)} seconds` : `${Math.round(limitMs / 60_000)} minutes`;
  return new Error(`The database could not be reached for ${time}: ${cause.message}`, { cause });
}
