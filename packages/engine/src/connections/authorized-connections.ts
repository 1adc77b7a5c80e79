import { type Platform, type SettingProblem, settingsProblems } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import {
  type ApplicationScope,
  type Connection,
  connectionById,
  connectionSettings,
  type Granted,
  issueAuthorizationCode,
  keptTokens,
  redeemAuthorizationCode,
  type SentCode,
  type Store,
} from '@unified/store';
import type { Logger } from 'pino';
import { offeredPlatform, platformIn, type Settings, type Systems } from '../model/systems.ts';
import { type CheckProgress, type CheckWatch, checkWithProgress } from './check-with-progress.ts';
import type { ConnectionWork } from './connection-parts.ts';
import { connectionsTo, isSameSystem } from './connections-to-system.ts';
import { operatorSettingProblems } from './operator-settings.ts';
import {
  type Allowed,
  type EndUserRequest,
  type Pending,
  refuseTooManyNew,
  renewedSettings,
  type Stored,
  storeAllowed,
} from './store-allowed.ts';

/** A system that an end user authorizes an application to use, after it was checked. */
export interface AuthorizedSystem {
  readonly platform: string;
  readonly settings: Settings;
  /** The connection that gets these settings and keeps its ids; if absent, a new one is created. */
  readonly connectionId?: string | undefined;
  /** Whether the end user has confirmed a second connection to the same system. Defaults to false. */
  readonly allowDuplicate?: boolean | undefined;
}

/** The client that may use a system, and where it gets the code. */
export interface AuthorizedClient {
  readonly clientId: string;
  readonly redirectUri: string;
  /** `code_challenge` of RFC 7636, method S256; absent if the request had none. */
  readonly challenge?: string | undefined;
}

/** Connections of one application that its end users authorize. */
export interface AuthorizedConnections {
  /** The platform with this id, or undefined if it cannot be used. */
  platform(id: string): Platform | undefined;
  /** The platform with this id, or undefined if no new connection can be made to it. */
  offered(id: string): Platform | undefined;
  /** An active or inactive connection of the application to a platform that can be used, or null. */
  connection(id: string): Promise<Connection | null>;
  /** All errors in the settings; empty if they can be used. Does not call the system. */
  problems(platform: Platform, settings: Settings): SettingProblem[];
  /** Checks a system with `checkWithProgress`. If the system accepts the check, a pause that it requested ends. */
  check(system: AuthorizedSystem, watch: CheckWatch): Promise<CheckProgress>;
  /** The connections of the application to this system, whichever user they sign in as. */
  connectionsTo(platform: string, settings: Settings): Promise<Connection[]>;
  /** Whether these settings lead to the system of a connection of the application. */
  isSystemOf(connectionId: string, settings: Settings): Promise<boolean>;
  /**
   * Issues a code for a system. The connection is stored only when the client redeems the code; its entry in the audit log then
   * names this request of the end user. Throws SERVICE_RATE_LIMITED if the application has connected too many systems.
   */
  authorize(system: AuthorizedSystem, client: AuthorizedClient, sentBy: EndUserRequest): Promise<string>;
  /**
   * Stores the connection, or the settings of an existing one, for an end customer for whom the client itself has begun the
   * authorization, and stores the values of its settings forms. Returns its id, or null if it can no longer be stored.
   */
  connectFor(
    customer: Pick<Allowed, 'endCustomerId' | 'formValues'> & { readonly endCustomerId: string },
    system: AuthorizedSystem,
    by: EndUserRequest & { readonly clientId: string },
  ): Promise<string | null>;
  /**
   * Exchanges a code for tokens with this scope, and stores the connection, or the settings of an existing one. It is
   * synchronized as soon as a worker is free. Throws SERVICE_RATE_LIMITED.
   */
  redeem(sent: SentCode, scope: string): Promise<Granted>;
}

interface Parts {
  readonly store: Store;
  readonly engine: ConnectionWork;
  readonly systems: Systems;
  readonly log: Logger;
}

export function authorizedConnections(parts: Parts, application: ApplicationScope): AuthorizedConnections {
  const { store, systems, engine, log } = parts;

  async function findUsable(id: string): Promise<Connection | null> {
    const found = await connectionById(store, id);
    if (!found || found.applicationId !== application.applicationId || found.deletedAt !== null) return null;
    return platformIn(systems, found.platform) ? found : null;
  }

  const settingsOf = async (id: string) => (await connectionSettings(store, id)) as Settings | null;

  return {
    platform: (id) => platformIn(systems, id),
    offered: (id) => offeredPlatform(systems, id),
    connection: findUsable,
    problems: (platform, settings) => [...operatorSettingProblems(settings), ...settingsProblems(platform, settings)],
    async check({ platform: id, settings, connectionId }, watch) {
      const platform = platformIn(systems, id);
      if (!platform) throw new ServiceError('SERVICE_NOT_FOUND', 'This system is no longer offered.');
      const before = connectionId === undefined ? null : await settingsOf(connectionId);
      // What an operator has allowed for one system does not apply to another one.
      const all =
        before && isSameSystem(platform, before, settings) ? renewedSettings(platform, before, settings) : settings;
      const tokens = keptTokens(store, application);
      const checked = await checkWithProgress(platform, all, { systems, tokens, ...watch });
      if (checked.phase === 'accepted')
        await engine
          .endPause(platform, all)
          .catch((err) => log.warn({ err, platform: id }, 'the pause of a connected system did not end'));
      return checked;
    },
    async connectionsTo(id, settings) {
      const platform = platformIn(systems, id);
      return platform ? connectionsTo(store, application, platform, settings) : [];
    },
    async isSystemOf(connectionId, settings) {
      const connection = await findUsable(connectionId);
      const platform = connection && platformIn(systems, connection.platform);
      const known = await settingsOf(connectionId);
      return Boolean(platform && known && isSameSystem(platform, known, settings));
    },
    async authorize({ connectionId = null, ...system }, client, sentBy) {
      if (connectionId === null) await refuseTooManyNew(application);
      const pending = JSON.stringify({ ...system, sentBy } satisfies Pending);
      return issueAuthorizationCode(store, { ...client, connectionId, pending });
    },
    async connectFor(customer, { connectionId = null, ...system }, { clientId, ...sentBy }) {
      const pending = JSON.stringify({ ...system, sentBy } satisfies Pending);
      const allowed = { ...application, ...customer, clientId, connectionId, pending };
      const stored = await storeAllowed(store, systems, allowed);
      if (stored) await resume(parts, stored);
      return stored?.connectionId ?? null;
    },
    async redeem(sent, scope) {
      const stored: Stored[] = [];
      const granted = await redeemAuthorizationCode(store, sent, scope, async (within, allowed) => {
        const found = await storeAllowed(within, systems, { ...allowed, ...application, clientId: sent.clientId });
        if (found) stored.push(found);
        return found?.connectionId ?? null;
      });
      if ('refused' in granted) return granted;
      for (const each of stored) await resume(parts, each);
      return granted;
    },
  };
}

/**
 * Attempts the writes of a connection and synchronizes it. Never rejects, because the tokens have already been issued. Without the
 * job, the sweep of a worker finds that the connection is due.
 */
async function resume({ engine, log }: Parts, { connectionId, sync }: Stored): Promise<void> {
  await engine
    .attemptWrites(connectionId)
    .catch((err) => log.warn({ err, connectionId }, 'waiting writes are attempted at their own time'));
  if (!sync) return;
  await engine
    .requestSync(connectionId, sync)
    .catch((err) => log.warn({ err, connectionId }, 'no job for a synchronization; the sweep adds it'));
}
