import { isDeepStrictEqual } from 'node:util';
import {
  addressSettings,
  isAddressRefusal,
  type Json,
  type Platform,
  platformIds,
  type SettingProblem,
  settingsProblems,
  systemIdentity,
} from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import {
  type ApplicationScope,
  type AuditOrigin,
  audited,
  type Connection,
  ConnectionBusy,
  ConnectionNameTaken,
  connectionById,
  connectionSettings,
  connectionsToSystem,
  createConnection,
  lockConnection,
  lockSystem,
  markConnectionDeleted,
  readableSettings,
  type Scope,
  type Store,
} from '@unified/store';
import { failureOf, retryAfterOf } from '../drivers/system-failure.ts';
import { offeredPlatform, platformIn, type Systems } from '../model/systems.ts';
import { type ApplicationTokens, applicationTokens } from './application-tokens.ts';
import { changeStatus, openSettings, withOpenSettings } from './audited-connection.ts';
import { checkSystem } from './check-system.ts';
import type { ConnectionJobs } from './connection-parts.ts';
import { connectionsTo, isSameSystem } from './connections-to-system.ts';
import { OPERATOR_SETTINGS, operatorSettingProblems } from './operator-settings.ts';
import { removeConnection } from './remove-connection.ts';
import { updateConnection } from './update-connection.ts';

/** A connection with the settings that are not secret. */
export interface ShownConnection extends Connection {
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface NewApplicationConnection {
  readonly platform: string;
  /** By default the name of the platform. */
  readonly name?: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whether to create it if the application is connected to the same system. */
  readonly allowDuplicate?: boolean | undefined;
}

/** What an application can change. */
export type ApplicationConnectionChanges = Partial<Pick<NewApplicationConnection, 'name' | 'settings'>>;

/**
 * The connections of one application, as its own clients manage them. Functions that take an id throw SERVICE_NOT_FOUND
 * for one that the application does not have; all but `get` and `purge` also for a deleted connection. Changes are recorded in
 * the audit log.
 */
export interface ApplicationConnections extends ApplicationTokens {
  get(id: string): Promise<ShownConnection>;
  /** Adds the settings that are not secret. */
  shown(connection: Connection): Promise<ShownConnection>;
  /**
   * Checks the system and stores a connection to it. Throws the error of the system, and SERVICE_ALREADY_EXISTS for a name or a
   * system that the application has a connection with.
   */
  create(given: NewApplicationConnection): Promise<ShownConnection>;
  /**
   * Changes the name, and the settings that are given, after a check. If they lead to a different system, the settings that an
   * operator has made are removed. Throws like `create`.
   */
  update(id: string, changes: ApplicationConnectionChanges): Promise<ShownConnection>;
  setActive(id: string, isActive: boolean): Promise<ShownConnection>;
  /** Stops all use of a connection and revokes its tokens; its data is kept. */
  delete(id: string): Promise<void>;
  /** Removes a connection with its data. Throws SERVICE_UNAVAILABLE while a worker uses it. */
  purge(id: string): Promise<void>;
  /** The data of a connection. */
  scopeOf(id: string): Promise<Scope>;
}

/** The kinds of systems that can be connected, in alphabetical order. Those whose files cannot be used are left out. */
export function usablePlatforms(systems: Systems): Platform[] {
  return platformIds().flatMap((id) => offeredPlatform(systems, id) ?? []);
}

interface Parts {
  readonly store: Store;
  readonly engine: ConnectionJobs;
  readonly systems: Systems;
  /** Who makes the changes, for the audit log. */
  readonly origin: AuditOrigin;
}

/** Milliseconds for which a request waits until workers have left a connection. */
const PURGE_MS = 20_000;

export function applicationConnections(parts: Parts, application: ApplicationScope): ApplicationConnections {
  const { store, engine, systems, origin } = parts;
  const { applicationId } = application;

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
    const platform = platformIn(systems, connection.platform);
    const settings = platform ? ((await readableSettings(store, connection.id)) ?? {}) : {};
    return { ...connection, settings: openSettings(platform, settings) };
  }

  return {
    get: async (id) => shown(await existing(id)),
    shown,
    async create(given) {
      const platform = offeredPlatform(systems, given.platform) ?? refusePlatform(systems, given.platform);
      const settings = given.settings as Record<string, Json>;
      refuseSettings(platform, settings);
      if (!given.allowDuplicate) refuseDuplicate(await connectionsTo(store, application, platform, settings));
      await requireReadable(platform, settings, systems);
      const { name = platform.name } = given;
      const system = systemIdentity(platform, settings);
      const connection = await audited(store, origin, async (within, record) => {
        const own = within.application(applicationId);
        await lockSystem(own, system);
        // Another request may have connected the system during the check.
        if (!given.allowDuplicate) refuseDuplicate(await connectionsToSystem(own, system));
        const made = await createConnection(within, { applicationId, platform: platform.id, name, settings, system });
        const after = withOpenSettings(platform, made, settings);
        await record(applicationId, { action: 'connection.create', target: made.id, after });
        return made;
      }).catch(nameTaken);
      await engine.requestSync(connection.id, 'full');
      return shown(connection);
    },
    async update(id, { name, settings: given }) {
      const { platform: platformId } = await usable(id);
      const changes = given === undefined ? {} : { settings: await merged(platformId, id, given) };
      const of = { applicationId, connectionId: id };
      const named = name === undefined ? {} : { name };
      const updated = await updateConnection(parts, of, { ...changes, ...named }).catch(nameTaken);
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

  /** All settings of a connection with these changes, checked. */
  async function merged(platformId: string, id: string, given: Readonly<Record<string, unknown>>) {
    const platform = platformIn(systems, platformId) ?? refusePlatform(systems, platformId);
    const changes = given as Record<string, Json>;
    const before = (await connectionSettings(store, id)) as Record<string, Json>;
    const settings = changedSettings(platform, before, changes);
    refuseSettings(platform, changes, settings);
    refuseKeptSecrets(platform, before, changes);
    await requireReadable(platform, settings, systems);
    return settings;
  }
}

/** The settings with changes of the application. An operator has allowed a private host for one system, and no other. */
function changedSettings(platform: Platform, before: Record<string, Json>, changes: Record<string, Json>) {
  const settings = { ...before, ...changes };
  if (isSameSystem(platform, before, settings)) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !OPERATOR_SETTINGS.includes(name)));
}

function notFound(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'There is no connection with this id.');
}

function refusePlatform(systems: Systems, id: string): never {
  const known = usablePlatforms(systems).map((platform) => platform.id);
  throw invalidBody([
    { path: 'body/platform', message: `There is no platform "${id}". Use one of ${known.join(', ')}.` },
  ]);
}

/** Throws for settings of operators among those that were sent, and for settings that the platform does not allow. */
function refuseSettings(
  platform: Platform,
  sent: Readonly<Record<string, Json>>,
  all: Readonly<Record<string, Json>> = sent,
): void {
  refuseOperatorSettings(sent);
  const wrong = settingsProblems(platform, all);
  if (wrong.length > 0) throw invalidBody(wrong.map(settingDetail));
}

/**
 * Throws if an address changes and stored secrets are to be kept: whoever may change settings could have them sent to a host of
 * their own.
 */
function refuseKeptSecrets(platform: Platform, before: Record<string, Json>, changes: Record<string, Json>): void {
  const moved = addressSettings(platform).find(
    (name) => Object.hasOwn(changes, name) && leadsElsewhere(platform, name, before, changes),
  );
  const kept = platform.secrets.filter((name) => Object.hasOwn(before, name) && !Object.hasOwn(changes, name));
  if (moved === undefined || kept.length === 0) return;
  const message = `\`${moved}\` identifies the system, and it changes. Send this secret again, because stored secrets are not sent to another system.`;
  throw invalidBody(kept.map((name) => ({ path: `body/settings/${name}`, message })));
}

/** Whether a setting changes in more than its spelling. The parameters of an address can change where and how secrets are sent. */
function leadsElsewhere(
  platform: Platform,
  name: string,
  before: Readonly<Record<string, Json>>,
  changes: Readonly<Record<string, Json>>,
): boolean {
  if (isDeepStrictEqual(changes[name], before[name])) return false;
  const isSame = isSameSystem({ ...platform, identifiedBy: [name] }, before, changes);
  return !isSame || parametersOf(changes[name]) !== parametersOf(before[name]);
}

function parametersOf(value: Json | undefined): string {
  return (typeof value === 'string' && URL.parse(value)?.search) || '';
}

function refuseOperatorSettings(settings: Readonly<Record<string, unknown>>): void {
  const [wrong] = operatorSettingProblems(settings);
  if (wrong) throw invalidBody([{ path: `body/settings/${wrong.setting}`, message: wrong.remedy }]);
}

function refuseDuplicate([same]: readonly Connection[]): void {
  if (!same) return;
  const message = `The connection "${same.name}" (${same.id}) is to the same system. Update it, or send allowDuplicate: true.`;
  throw new ServiceError('SERVICE_ALREADY_EXISTS', message);
}

/** Throws if the system cannot be read with these settings. */
async function requireReadable(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  systems: Systems,
): Promise<void> {
  const { problems } = await checkSystem(platform, settings, { systems }).catch(systemFailed);
  const blocking = problems.filter(({ blocks }) => blocks);
  if (blocking.length === 0) return;
  const details = blocking.map(({ place, problem, remedy }) => ({
    path: place,
    message: `${problem} ${remedy}`.trim(),
  }));
  throw new ServiceError('SERVICE_REJECTED', `The system cannot be read completely: ${details[0]?.message}`, {
    details,
  });
}

function settingDetail({ setting, problem, remedy }: SettingProblem) {
  return { path: `body/settings/${setting.replaceAll('.', '/')}`, message: `The setting ${problem}. ${remedy}`.trim() };
}

function invalidBody(details: readonly { readonly path: string; readonly message: string }[]): ServiceError {
  const message = details.map((each) => `${each.path}: ${each.message}`).join(' ');
  return new ServiceError('SERVICE_INVALID_BODY', message, { details });
}

const NOT_PUBLIC = 'The address of the system is not public. Only the operator of the service can allow it.';

function systemFailed(error: unknown): never {
  const { code, message: words } = failureOf(error);
  // The message of the refusal names addresses in the network of the service.
  const message = isAddressRefusal(error) ? NOT_PUBLIC : words;
  const retryAfter = retryAfterOf(error);
  throw new ServiceError(code as ServiceError['code'], message, {
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

function nameTaken(error: unknown): never {
  if (!(error instanceof ConnectionNameTaken)) throw error;
  throw new ServiceError('SERVICE_ALREADY_EXISTS', `${error.message} Choose another name.`);
}

function busy(error: unknown): never {
  if (!(error instanceof ConnectionBusy)) throw error;
  const message = 'A worker still uses the connection. It is deactivated; send the request again.';
  throw new ServiceError('SERVICE_UNAVAILABLE', message, { cause: error, retryAfter: 5 });
}
