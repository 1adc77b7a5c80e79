import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { readChoice, storeChoice } from '../../preferences/stored-choices.ts';
import { useManagement, useSession } from '../../session/session-context.ts';
import { type Connection, connectionsQuery } from './connection-queries.ts';

interface CurrentConnection {
  readonly connection: Connection | undefined;
  readonly connections: readonly Connection[];
  readonly choose: (id: string) => void;
}

/** Id of the connection that was last opened or chosen. All parts of a page show the same one. */
let last = readChoice<string>('connection');
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function choose(id: string): void {
  if (id === last) return;
  last = id;
  storeChoice('connection', id);
  for (const listener of listeners) listener();
}

/** The connection of the address; on other pages the one that was last opened or chosen, or the first. */
export function useCurrentConnection(): CurrentConnection {
  const { connectionId } = useParams({ strict: false });
  const { applicationId } = useSession();
  const { data: connections = [] } = useQuery(connectionsQuery(useManagement(), applicationId));
  const chosen = useSyncExternalStore(subscribe, () => last);
  const find = (id: string | undefined) => connections.find((each) => each.id === id);
  const opened = find(connectionId);
  useEffect(() => {
    if (opened) choose(opened.id);
  }, [opened]);
  return { connection: opened ?? find(chosen) ?? connections[0], connections, choose };
}
