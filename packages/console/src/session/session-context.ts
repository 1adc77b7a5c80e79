import type { Client } from '@unified/sdk';
import { createContext, useContext } from 'react';
import type { CurrentSession } from '../api/console-schemas.ts';
import { managementClient } from '../api/service-clients.ts';

interface SessionValue extends CurrentSession {
  /** The application whose connections the pages show. */
  readonly applicationId: string;
  readonly chooseApplication: (id: string) => void;
}

export const SessionContext = createContext<SessionValue | undefined>(undefined);

/** The operator who is signed in. Only pages within the shell have one. */
export function useSession(): SessionValue {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session outside the shell.');
  return session;
}

/** The Management API of the chosen application. */
export function useManagement(): Client {
  return managementClient(useSession().applicationId);
}

/** Whether the operator may change something; `admin` is needed for what grants access. */
export function useMayChange(needed: 'operator' | 'admin' = 'operator'): boolean {
  const { role } = useSession().operator;
  return role === 'admin' || role === needed;
}
