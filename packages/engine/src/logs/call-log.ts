import { insertSystemCalls, type LoggedCall, type Store } from '@unified/store';
import type { Logger } from 'pino';
import { LogWriter } from './log-writer.ts';

/** Stores calls to connected systems in the log of their application, later. */
export type CallLog = LogWriter<LoggedCall>;

/** Close it after the last call. */
export function createCallLog({ store, log }: { readonly store: Store; readonly log: Logger }): CallLog {
  return new LogWriter(
    'log of calls to systems',
    (calls: readonly LoggedCall[]) => insertSystemCalls(store, calls),
    log,
  );
}
