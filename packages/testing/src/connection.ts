import { randomUUID } from 'node:crypto';
import {
  createApplication,
  createConnection,
  deactivateConnection,
  issueConnectionToken,
  type NewToken,
  type Scope,
  type Store,
} from '@unified/store';

/** A connection for tests. */
export interface TestConnection {
  readonly applicationId: string;
  readonly connectionId: string;
  readonly scope: Scope;
  /** A valid token. */
  readonly token: string;
  /** Another token of the same connection, for example one that has expired. */
  issueToken(options?: Omit<NewToken, 'connectionId'>): Promise<string>;
  deactivate(): Promise<void>;
}

export interface ConnectionOptions {
  /** Application of the connection; by default, a new one. */
  readonly applicationId?: string;
  /** End customer of the application; by default, none. */
  readonly endCustomerId?: string;
  readonly platform?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Creates a connection and a token for it. */
export async function connect(store: Store, options: ConnectionOptions = {}): Promise<TestConnection> {
  const applicationId = options.applicationId ?? (await createApplication(store, 'Tests')).id;
  const { platform = 'test', settings = {}, endCustomerId } = options;
  const owner = endCustomerId === undefined ? {} : { endCustomerId };
  const name = `Tests ${randomUUID()}`;
  const { id: connectionId } = await createConnection(store, { applicationId, platform, settings, name, ...owner });
  const issueToken = async (more: Omit<NewToken, 'connectionId'> = {}) =>
    (await issueConnectionToken(store, { connectionId, ...more })).token;
  return {
    applicationId,
    connectionId,
    scope: store.scope({ applicationId, connectionId }),
    token: await issueToken(),
    issueToken,
    deactivate: async () => void (await deactivateConnection(store, connectionId)),
  };
}
