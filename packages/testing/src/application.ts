import { applicationSecret, createApplication, type Store } from '@unified/store';
import { checkedFetch } from './checked-fetch.ts';

/** An application that has signed in to the Management API. */
export interface TestApplication {
  readonly applicationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Access token for the Management API. */
  readonly token: string;
}

/** Signs in an application over HTTP with its first client; by default, a new application. */
export async function signIn(store: Store, baseUrl: string, applicationId?: string): Promise<TestApplication> {
  const clientId = applicationId ?? (await createApplication(store, 'Tests')).id;
  const clientSecret = (await applicationSecret(store, clientId)) ?? '';
  const json = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const { body } = await checkedFetch<{ access_token: string }>(`${baseUrl}/oauth/token`, { method: 'POST', json });
  return { applicationId: clientId, clientId, clientSecret, token: body.access_token };
}
