import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';

/** Appearance of the authorization page of a client. */
export interface Whitelabel {
  readonly productName: string | null;
  readonly logoUrl: string | null;
  readonly primaryColor: string | null;
  readonly supportUrl: string | null;
  readonly termsUrl: string | null;
}

/** A setting of a client, and when it was last changed; null if it was never set, or was cleared. */
export interface ClientSetting<Value> {
  readonly value: Value | null;
  readonly updatedAt: string | null;
}

/** Days for which requests and changes are logged if no client of the application has set a retention. */
export const DEFAULT_LOG_RETENTION = 30;

/** The settings of clients by name, with the types of their values. */
interface ClientSettings {
  readonly whitelabel: Whitelabel;
  /** Days. */
  readonly logRetention: number;
}

/** The name of a setting. */
export type SettingName = keyof ClientSettings;

/** Reads a setting. Null when the application has no such client. */
export async function clientSetting<Name extends SettingName>(
  scope: ApplicationScope,
  clientId: string,
  name: Name,
): Promise<ClientSetting<ClientSettings[Name]> | null> {
  const { rows } = await asOwner<ClientSetting<ClientSettings[Name]>>(
    storeOf(scope),
    `select s.value, s."updatedAt" from unified.clients c
       left join unified.client_settings s on s."clientId" = c.id and s.name = $3
      where c."applicationId" = $1 and c.id = $2`,
    [scope.applicationId, clientId, name],
  );
  return rows[0] ?? null;
}

/** Sets a setting. Null when the application has no such client. */
export async function setClientSetting<Name extends SettingName>(
  scope: ApplicationScope,
  clientId: string,
  { name, value }: { readonly name: Name; readonly value: ClientSettings[Name] },
): Promise<ClientSetting<ClientSettings[Name]> | null> {
  const { rows } = await asOwner<ClientSetting<ClientSettings[Name]>>(
    storeOf(scope),
    `insert into unified.client_settings as s ("clientId", name, value)
     select id, $3, $4 from unified.clients where "applicationId" = $1 and id = $2
     on conflict ("clientId", name) do update set value = excluded.value, "updatedAt" = now()
     returning s.value, s."updatedAt"`,
    [scope.applicationId, clientId, name, JSON.stringify(value)],
  );
  return rows[0] ?? null;
}

/** Removes a setting. Returns whether the application has the client. */
export async function clearClientSetting(
  scope: ApplicationScope,
  clientId: string,
  name: SettingName,
): Promise<boolean> {
  const { rowCount } = await asOwner(
    storeOf(scope),
    `with cleared as (
       delete from unified.client_settings s using unified.clients c
        where c.id = s."clientId" and c."applicationId" = $1 and c.id = $2 and s.name = $3)
     select from unified.clients where "applicationId" = $1 and id = $2`,
    [scope.applicationId, clientId, name],
  );
  return rowCount === 1;
}
