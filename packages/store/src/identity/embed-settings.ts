import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';

/** What an end user chose in the settings forms of a connection. */
export interface EmbedSettings {
  /** Keyed by form and field, `form.field`; empty if nothing was saved. */
  readonly values: Readonly<Record<string, unknown>>;
  /** When they were last saved; null if never. */
  readonly updatedAt: string | null;
}

interface SettingsRow {
  /** JSON. */
  readonly values: string | null;
  readonly updatedAt: string | null;
}

/** The values of a connection. Null when the application has no such connection, or it is deleted. */
export async function embedSettings(scope: ApplicationScope, connectionId: string): Promise<EmbedSettings | null> {
  const { rows } = await asOwner<SettingsRow>(
    storeOf(scope),
    `select s."values", s."updatedAt" from unified.connections c
       left join unified.embed_settings s on s."connectionId" = c.id
      where c."applicationId" = $1 and c.id = $2 and c."deletedAt" is null`,
    [scope.applicationId, connectionId],
  );
  return rows[0] ? settingsIn(rows[0]) : null;
}

/** Replaces the values of a connection. Null as in `embedSettings`. */
export async function saveEmbedSettings(
  scope: ApplicationScope,
  connectionId: string,
  values: EmbedSettings['values'],
): Promise<EmbedSettings | null> {
  const { rows } = await asOwner<SettingsRow>(
    storeOf(scope),
    `insert into unified.embed_settings as s ("connectionId", "values")
     select id, $3 from unified.connections where "applicationId" = $1 and id = $2 and "deletedAt" is null
     on conflict ("connectionId") do update set "values" = excluded."values", "updatedAt" = now()
     returning s."values", s."updatedAt"`,
    [scope.applicationId, connectionId, JSON.stringify(values)],
  );
  return rows[0] ? settingsIn(rows[0]) : null;
}

function settingsIn({ values, updatedAt }: SettingsRow): EmbedSettings {
  return { values: values === null ? {} : JSON.parse(values), updatedAt };
}
