import { type Json, type Platform, platformIds, systemIdentity } from '@unified/connectors';
import {
  type ApplicationScope,
  type AuditOrigin,
  audited,
  type Connection,
  connectionById,
  connectionSettings,
  createConnection,
  keptTokens,
  lockConnection,
  markConnectionDeleted,
  type Scope,
  type Store,
  type SyncSchedule,
} from '@unified/store';
import type { Quotas } from '../drivers/quotas.ts';
import { offeredPlatform, platformIn, type Systems } from '../model/systems.ts';
import { type ApplicationTokens, applicationTokens } from './application-tokens.ts';
import { changeStatus, withOpenSettings } from './audited-connection.ts';
import { changedMetadata, type MetadataChanges } from './connection-metadata.ts';
import type { ConnectionWork } from './connection-parts.ts';
import {
  alreadyExists,
  busy,
  notFound,
  refuseOtherCustomer,
  refusePlatform,
  requireReadable,
} from './connection-refusals.ts';
import { isSameSystem, lockedConnectionsTo, refuseConnected, refuseDuplicate } from './connections-to-system.ts';
import { removeConnection } from './remove-connection.ts';
import { restoreConnection } from './restore-connection.ts';
import { changedSettings, refuseKeptSecrets, refuseSettings } from './sent-settings.ts';
import { type ShownConnection, shownConnections } from './shown-connections.ts';
import { updateConnection } from './update-connection.ts';

export interface NewApplicationConnection {
  readonly platform: string;
  /** By default the name of the platform. */
  readonly name?: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whether the application may have another connection to the same system. */
  readonly allowDuplicate?: boolean | undefined;
  /** Absent properties get their defaults; in changes, they stay unchanged. */
  readonly schedule?: Partial<SyncSchedule> | undefined;
  readonly metadata?: MetadataChanges | undefined;
  /** End customer that it belongs to, if any. */
  readonly endCustomerId?: string | undefined;
}

/** What an application can change. */
export type ApplicationConnectionChanges = Partial<
  Pick<NewApplicationConnection, 'name' | 'settings' | 'allowDuplicate' | 'schedule' | 'metadata'>
>;

/**
 * The connections of one application, as its own clients manage them. Functions that take an id throw SERVICE_NOT_FOUND for a
 * connection that the application does not have; all but `get`, `restore` and `purge` also for a deleted one. Changes are
 * recorded in the audit log.
 */
export interface ApplicationConnections extends ApplicationTokens {
  get(id: string): Promise<ShownConnection>;
  /** Adds the settings that are not secret, and the health. */
  shown(connections: readonly Connection[]): Promise<ShownConnection[]>;
  /**
   * Checks the system and stores a connection to it. Throws the error of the system, and SERVICE_ALREADY_EXISTS if the
   * application already has a connection with this name or to this system.
   */
  create(given: NewApplicationConnection): Promise<ShownConnection>;
  /**
   * Changes the given properties; settings are checked first. If they lead to a different system, the settings that an operator
   * has made are removed. Throws like `create`.
   */
  update(id: string, changes: ApplicationConnectionChanges): Promise<ShownConnection>;
  setActive(id: string, isActive: boolean): Promise<ShownConnection>;
  /** Stops all use of a connection and revokes its tokens; its data is kept for 30 days. */
  delete(id: string): Promise<void>;
  /**
   * Restores a deleted connection, which is then inactive. Throws SERVICE_NOT_FOUND after 30 days, and SERVICE_ALREADY_EXISTS
   * like `create`.
   */
  restore(id: string, options: Pick<NewApplicationConnection, 'allowDuplicate'>): Promise<ShownConnection>;
  /** Removes a connection with its data. Throws SERVICE_UNAVAILABLE while a worker uses it. */
  purge(id: string): Promise<void>;
  /** The data of a connection. */
  scopeOf(id: string): Promise<Scope>;
}

/** The kinds of systems that can be connected, in alphabetical order. Platforms whose files cannot be used are left out. */
export function usablePlatforms(systems: Systems): Platform[] {
  return platformIds().flatMap((id) => offeredPlatform(systems, id) ?? []);
}

interface Parts {
  readonly store: Store;
  readonly engine: ConnectionWork;
  readonly quotas: Pick<Quotas, 'pausesOf'>;
  readonly systems: Systems;
  /** Who makes the changes, for the audit log. */
  readonly origin: AuditOrigin;
}

/** Milliseconds that a request waits for workers to leave a connection. */
const PURGE_MS = 20_000;

export function applicationConnections(parts: Parts, application: ApplicationScope): ApplicationConnections {
  const { store, engine, systems, origin } = parts;
  const { applicationId } = application;
  const tokens = keptTokens(store, { applicationId });

  const usableIds = () => usablePlatforms(systems).map(({ id }) => id);

  async function existing(id: string): Promise<Connection> {
    const connection = await connectionById(store, id);
    if (connection?.applicationId !== applicationId) throw notFound();
    return connection;
  }

  async function usable(id: string): Promise<Connection> {
    const connection = await existing(id);
    if (connection.deletedAt !== null) throw notFound();
    return connection;
  }

  async function shown(connection: Connection): Promise<ShownConnection> {
    const [found] = await shownConnections(parts, [connection]);
    if (!found) throw notFound();
    return found;
  }

  return {
    get: async (id) => shown(await existing(id)),
    shown: (connections) => shownConnections(parts, connections),
    async create(given) {
      const platform = offeredPlatform(systems, given.platform) ?? refusePlatform(given.platform, usableIds());
      const settings = given.settings as Record<string, Json>;
      refuseSettings(platform, settings);
      const metadata = changedMetadata({}, given.metadata ?? {});
      await refuseOtherCustomer(application, given.endCustomerId);
      if (!given.allowDuplicate) await refuseConnected(store, application, platform, settings).catch(alreadyExists);
      await requireReadable(platform, settings, { systems, tokens });
      await engine.endPause(platform, settings);
      const { name = platform.name, schedule, endCustomerId } = given;
      const system = systemIdentity(platform, settings);
      const connection = await audited(store, origin, async (within, record) => {
        // Another request may have connected the system during the check.
        const others = await lockedConnectionsTo(within.application(applicationId), system);
        if (!given.allowDuplicate) refuseDuplicate(others);
        const described = { name, settings, system, schedule, metadata, endCustomerId };
        const made = await createConnection(within, { applicationId, platform: platform.id, ...described });
        const after = withOpenSettings(platform, made, settings);
        await record(applicationId, { action: 'connection.create', target: made.id, after });
        return made;
      }).catch(alreadyExists);
      await engine.requestSync(connection.id, 'full');
      return shown(connection);
    },
    async update(id, { settings: given, ...changes }) {
      const { platform: platformId } = await usable(id);
      const settings = given && (await merged(platformId, id, given, changes.allowDuplicate));
      const of = { applicationId, connectionId: id };
      const updated = await updateConnection(parts, of, { ...changes, settings, isAccepted: true }).catch(
        alreadyExists,
      );
      if (!updated) throw notFound();
      return shown(updated);
    },
    async setActive(id, isActive) {
      await usable(id);
      const changed = await changeStatus(parts, id, isActive);
      if (!changed) throw notFound();
      if (isActive) await engine.requestSync(id, 'incremental');
      return shown(changed);
    },
    async delete(id) {
      await usable(id);
      await audited(store, origin, async (within, record) => {
        const before = await lockConnection(within, id);
        if (!before || before.deletedAt !== null) throw notFound();
        await markConnectionDeleted(within, id);
        const after = await connectionById(within, id);
        await record(applicationId, { action: 'connection.delete', target: id, before, after });
      });
      await engine.forgetJobs(id);
    },
    async restore(id, options) {
      const of = { applicationId, connectionId: id };
      const restored = await restoreConnection(parts, of, options).catch((error: unknown) =>
        alreadyExists(error, 'Rename that connection first.'),
      );
      if (!restored) throw notFound();
      return shown(restored);
    },
    async purge(id) {
      await existing(id);
      const of = { applicationId, connectionId: id };
      if (!(await removeConnection(parts, of, { waitMs: PURGE_MS }).catch(busy))) throw notFound();
    },
    ...applicationTokens({ store, origin, requireUsable: usable }, application),
    async scopeOf(id) {
      await usable(id);
      return store.scope({ applicationId, connectionId: id });
    },
  };

  /** All settings of a connection after these changes, checked. */
  async function merged(
    platformId: string,
    id: string,
    given: Readonly<Record<string, unknown>>,
    allowDuplicate: boolean | undefined,
  ) {
    const platform = platformIn(systems, platformId) ?? refusePlatform(platformId, usableIds());
    const changes = given as Record<string, Json>;
    const before = (await connectionSettings(store, id)) as Record<string, Json>;
    const settings = changedSettings(platform, before, changes);
    refuseSettings(platform, changes, settings);
    refuseKeptSecrets(platform, before, changes);
    if (!allowDuplicate && !isSameSystem(platform, before, settings))
      await refuseConnected(store, application, platform, settings).catch(alreadyExists);
    await requireReadable(platform, settings, { systems, tokens });
    return settings;
  }
}
