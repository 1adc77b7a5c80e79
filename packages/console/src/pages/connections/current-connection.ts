import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { readChoice, storeChoice } from '../../preferences/stored-choices.ts';
import { useManagement, useSession } from '../../session/session-context.ts';
import { type Connection, connectionsQuery } from './connection-queries.ts';

interface CurrentConnection {
  readonly connection: Connection | undefined;
  readonly connections: readonly Connection[];
  readonly choose: (id: string) => void;
}

/** The connection of the address; on other pages the one that was last chosen, or the first. */
export function useCurrentConnection(): CurrentConnection {
  const { connectionId } = useParams({ strict: false });
  const { applicationId } = useSession();
  const { data: connections = [] } = useQuery(connectionsQuery(useManagement(), applicationId));
  const [chosen, setChosen] = useState(() => readChoice<string>('connection'));
  const find = (id: string | undefined) => connections.find((each) => each.id === id);
  const connection = find(connectionId) ?? find(chosen) ?? connections[0];
  const choose = (id: string) => {
    storeChoice('connection', id);
    setChosen(id);
  };
  return { connection, connections, choose };
}
