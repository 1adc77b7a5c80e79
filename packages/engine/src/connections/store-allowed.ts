import { isDeepStrictEqual } from 'node:util';
import { type Platform, systemIdentity } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import {
  type ApplicationScope,
  type AuditChange,
  type AuditOrigin,
  assignEndCustomer,
  audited,
  ConnectionNameTaken,
  connectionById,
  connectionSettings,
  connectionsByCodes,
  createConnection,
  embedSettings,
  lockConnection,
  type NewConnection,
  replaceSettings,
  type Store,
  saveEmbedSettings,
} from '@unified/store';
import type { SyncMode } from '../jobs/jobs.ts';
import { platformIn, type Settings, type Systems } from '../model/systems.ts';
import { withOpenSettings } from './audited-connection.ts';
import { isSameSystem, lockedConnectionsTo } from './connections-to-system.ts';
import { OPERATOR_SETTINGS } from './operator-settings.ts';
import { movedAddress } from './sent-settings.ts';
import { settingFields } from './setting-fields.ts';

/** What an end user has allowed a client to do. */
export interface Allowed {
  readonly applicationId: string;
  readonly clientId: string;
  /** The connection whose settings are replaced; null if a new one is created. */
  readonly connectionId: string | null;
  /** End customer of a new connection, or of an existing one that has none, if any. */
  readonly endCustomerId?: string | undefined;
  /** A `Pending` as JSON. */
  readonly pending: string;
  /** Values of the settings forms of the connection; unchanged if absent. */
  readonly formValues?: Readonly<Record<string, unknown>> | undefined;
}

/** What is stored with a code until it is redeemed. */
export interface Pending {
  readonly platform: string;
  readonly settings: Settings;
  /** Whether the end user has confirmed a second connection to the same system. Defaults to false. */
  readonly allowDuplicate?: boolean | undefined;
  /** The request of the end user, for the audit log; absent in codes of earlier releases. */
  readonly sentBy?: EndUserRequest;
}

/** The request by which an end user has allowed the use of a system. */
export type EndUserRequest = Pick<AuditOrigin, 'requestId' | 'address'>;

/** A connection that was stored, and how it is to be synchronized; null if not now. */
export interface Stored {
  readonly connectionId: string;
  readonly sync: SyncMode | null;
  /** For the audit log. */
  readonly change: AuditChange;
}

/**
 * Stores the connection that an end user has allowed, with its entry in the audit log. Returns null if it can no longer be
 * stored: the platform cannot be used; the connection was deleted or leads to a different system in the meantime; or the
 * application was connected to the system in the meantime and the end user has not confirmed a second connection. Throws
 * SERVICE_RATE_LIMITED.
 */
export async function storeAllowed(store: Store, systems: Systems, allowed: Allowed): Promise<Stored | null> {
  const pending = JSON.parse(allowed.pending) as Pending;
  const { settings, sentBy } = pending;
  const platform = platformIn(systems, pending.platform);
  if (!platform) return null;
  const origin: AuditOrigin = {
    ...{ actorType: 'end_user', actor: allowed.clientId, operation: 'authorize' },
    ...(sentBy ?? { requestId: null, address: null }),
  };
  const { applicationId, connectionId } = allowed;
  return audited(store, origin, async (within, record) => {
    const stored =
      connectionId === null
        ? await create(within, allowed, platform, pending)
        : await renew(within, { ...allowed, connectionId }, platform, settings);
    if (!stored) return null;
    await record(applicationId, stored.change);
    await saveFormValues(within, allowed, stored.connectionId, record);
    return stored;
  });
}

/**
 * Stores the values of the settings forms if they changed. They belong to the end customer and may be secret, so only their names
 * are recorded.
 */
async function saveFormValues(
  store: Store,
  { applicationId, formValues }: Allowed,
  connectionId: string,
  record: (applicationId: string, change: AuditChange) => Promise<void>,
): Promise<void> {
  if (!formValues) return;
  const application = store.application(applicationId);
  const before = await embedSettings(application, connectionId);
  if (!before || isDeepStrictEqual(before.values, formValues)) return;
  await saveEmbedSettings(application, connectionId, formValues);
  const after = { fields: Object.keys(formValues) };
  await record(applicationId, { action: 'embed_settings.save', target: connectionId, after });
}

async function create(
  store: Store,
  { applicationId, endCustomerId }: Allowed,
  platform: Platform,
  { settings, allowDuplicate }: Pending,
): Promise<Stored | null> {
  // For an end customer, the application begins each authorization itself.
  if (endCustomerId === undefined) await refuseTooManyNew(store.application(applicationId));
  const system = systemIdentity(platform, settings);
  const others = await lockedConnectionsTo(store.application(applicationId), system);
  if (others.length > 0 && !allowDuplicate) return null;
  const given = { applicationId, endCustomerId, platform: platform.id, settings, system };
  const made = await createNamed(store, given, platform.name);
  const { id } = made;
  const after = withOpenSettings(platform, made, settings);
  return { connectionId: id, sync: 'full', change: { action: 'connection.create', target: id, after } };
}

async function renew(
  store: Store,
  { connectionId, endCustomerId }: Allowed & { readonly connectionId: string },
  platform: Platform,
  settings: Settings,
): Promise<Stored | null> {
  const connection = await lockConnection(store, connectionId);
  const before = (await connectionSettings(store, connectionId)) as Settings | null;
  if (!connection || connection.deletedAt !== null || !before) return null;
  if (!isSameSystem(platform, before, settings)) return null;
  const all = renewedSettings(platform, before, settings);
  const isChanged = await replaceSettings(store, connectionId, all, systemIdentity(platform, all));
  if (endCustomerId !== undefined) await assignEndCustomer(store, connectionId, endCustomerId);
  const change: AuditChange = {
    ...{ action: 'connection.renew', target: connectionId },
    before: withOpenSettings(platform, connection, before),
    after: withOpenSettings(platform, (await connectionById(store, connectionId)) ?? connection, all, before),
  };
  return { connectionId, sync: isChanged && connection.status === 'active' ? 'incremental' : null, change };
}

/** Settings with credentials, grouped by kind: a system needs one of the kinds. */
const CREDENTIALS: readonly (readonly string[])[] = [
  ['user', 'password'],
  ['token'],
  ['tokenUrl', 'clientId', 'clientSecret', 'scope', 'refreshToken'],
];

/**
 * All settings of a connection after its end user has signed in again: those that were entered, and earlier ones that were left
 * out, such as those of operators. The following earlier settings are not kept: secrets; switches, because leaving one out
 * turns it off; credentials of a kind other than the one entered; and, if an address changes, such as that for tokens, settings of
 * operators, who have not allowed it.
 */
export function renewedSettings(platform: Platform, before: Settings, entered: Settings): Settings {
  const switches = settingFields(platform).flatMap(({ name, kind }) => (kind === 'switch' ? name : []));
  const isEntered = (kind: readonly string[]) => kind.some((name) => Object.hasOwn(entered, name));
  const replaced = CREDENTIALS.some(isEntered) ? CREDENTIALS.filter((kind) => !isEntered(kind)).flat() : [];
  const notAllowed = movedAddress(platform, before, entered) ? OPERATOR_SETTINGS : [];
  const left = [...platform.secrets, ...switches, ...replaced, ...notAllowed];
  const kept = Object.entries(before).filter(([name]) => !left.includes(name));
  return { ...Object.fromEntries(kept), ...entered };
}

/** Maximum number of new connections per application and hour: enough for its customers, but not for filling the database. */
const MOST_NEW = 20;

/** Throws SERVICE_RATE_LIMITED if the end users of an application have connected too many systems within the last hour. */
export async function refuseTooManyNew(application: ApplicationScope): Promise<void> {
  const { count, seconds } = await connectionsByCodes(application);
  if (count < MOST_NEW) return;
  const message = `End users of an application can connect ${MOST_NEW} systems per hour. Try again later.`;
  throw new ServiceError('SERVICE_RATE_LIMITED', message, { retryAfter: seconds });
}

/** Creates a connection with this name, or with the next one that is free: `Tryton`, `Tryton 2`, `Tryton 3`. */
async function createNamed(store: Store, given: Omit<NewConnection, 'name'>, name: string) {
  for (let number = 1; ; number += 1) {
    try {
      return await createConnection(store, { ...given, name: number === 1 ? name : `${name} ${number}` });
    } catch (error) {
      if (!(error instanceof ConnectionNameTaken)) throw error;
    }
  }
}
