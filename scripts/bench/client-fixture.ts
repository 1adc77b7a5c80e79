import { entities } from '@unified/contract';
import { addRedirectUri, applicationSecret, createApplication, loadKey, migrate, openStore } from '@unified/store';

/** Master key of the database. */
export const KEY = '07'.repeat(32);

/** A client of an application. */
export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** An application in an empty database, with its first client. */
export async function clientFixture(databaseUrl: string): Promise<Client> {
  const key = await loadKey(KEY, '');
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities, key });
  try {
    await migrate(store);
    const { id: clientId } = await createApplication(store, 'Benchmark');
    const clientSecret = await applicationSecret(store, clientId);
    if (!clientSecret) throw new Error('The client has no secret.');
    const redirectUri = 'https://portal.example/callback';
    await addRedirectUri(store.application(clientId), clientId, redirectUri);
    return { clientId, clientSecret, redirectUri };
  } finally {
    await store.close();
  }
}
