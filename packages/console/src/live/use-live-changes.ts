import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connectionClient } from '../api/service-clients.ts';

/** Milliseconds in which changes are collected before pages read again: a sync changes thousands of records. */
const COLLECT_MS = 1000;
/** Milliseconds after which the stream is opened again if the service refused it. */
const REOPEN_MS = 10_000;

/**
 * Follows the changes of a connection while a page is open, and lets what they concern be read again. The SDK reconnects after
 * a restart of the server without missing a change.
 */
export function useLiveChanges(connectionId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (connectionId === undefined) return;
    const stopping = new AbortController();
    const changed = new Set<string>();
    const refresh = () => {
      // What is being read is not started again, or it would never arrive while a sync changes records.
      for (const key of changed) {
        const queryKey = ['connection', connectionId, ...key.split(' ')];
        queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
      }
      changed.clear();
    };
    const timer = setInterval(refresh, COLLECT_MS);
    const follow = async () => {
      const changes = connectionClient(connectionId).changes.follow({ after: 'latest', signal: stopping.signal });
      for await (const { entity, id } of changes) {
        changed.add(`records ${entity}`);
        changed.add(`record ${entity} ${id}`);
        changed.add(`history ${entity} ${id}`);
      }
    };
    const keepFollowing = async () => {
      while (!stopping.signal.aborted) {
        await follow().catch(() => undefined);
        await pause(REOPEN_MS, stopping.signal);
      }
    };
    void keepFollowing();
    return () => {
      stopping.abort();
      clearInterval(timer);
    };
  }, [connectionId, queries]);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
