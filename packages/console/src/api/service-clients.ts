import { type Client, createClient } from '@unified/sdk';
import { serverUrl } from './base-url.ts';
import { type Called, dataOf } from './called.ts';
import type { IssuedToken } from './console-schemas.ts';

/** Retries of a call while the server restarts; about 15 seconds in total. */
const RETRIES = 4;

/** Calls of the session, which the cookie of the browser identifies. */
export const consoleClient: Client = createClient({ baseUrl: serverUrl, token: 'session', retries: 1 });

const managing = new Map<string, Client>();
const connected = new Map<string, Client>();

/** Calls of the Management API for an application, with short-lived tokens of the session. */
export function managementClient(applicationId: string): Client {
  return cached(managing, applicationId, () =>
    tokenOf(consoleClient.POST('/console/management-token', { body: { applicationId } })),
  );
}

/** Calls of the data API for a connection, with short-lived tokens of the session. */
export function connectionClient(connectionId: string): Client {
  return cached(connected, connectionId, () => shortToken(connectionId));
}

/** A token that gives the signed-in operator access to a connection for some minutes. */
export async function shortToken(connectionId: string): Promise<string> {
  return tokenOf(consoleClient.POST('/console/connection-tokens', { body: { connectionId } }));
}

/** Forgets all clients with their tokens, after signing out. */
export function forgetClients(): void {
  managing.clear();
  connected.clear();
}

function cached(clients: Map<string, Client>, id: string, token: () => Promise<string>): Client {
  const known = clients.get(id);
  if (known) return known;
  const client = createClient({ baseUrl: serverUrl, token, retries: RETRIES });
  clients.set(id, client);
  return client;
}

async function tokenOf(call: Promise<Called>): Promise<string> {
  return (await dataOf<IssuedToken>(call)).token;
}
