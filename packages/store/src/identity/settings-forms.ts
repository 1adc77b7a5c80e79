import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, inOwnerTransaction } from '../access/store.ts';

/** A form that end users of connections fill in. Its schema has the form that the document describes. */
export interface SettingsForm<Schema extends object = object> {
  /** Name, unique within the application. */
  readonly id: string;
  readonly title: string;
  readonly schema: Schema;
  readonly updatedAt: string;
}

const COLUMNS = 'id, title, schema, "updatedAt"';

/** Forms of the application, by name. */
export async function listSettingsForms<Schema extends object>(
  scope: ApplicationScope,
): Promise<SettingsForm<Schema>[]> {
  const { rows } = await asOwner<SettingsForm<Schema>>(
    storeOf(scope),
    `select ${COLUMNS} from unified.settings_forms where "applicationId" = $1 order by id`,
    [scope.applicationId],
  );
  return rows;
}

/** One form, locked until the end of the transaction. Null when the application has no form with this name. */
export async function lockSettingsForm(scope: ApplicationScope, id: string): Promise<SettingsForm | null> {
  const { rows } = await asOwner<SettingsForm>(
    storeOf(scope),
    `select ${COLUMNS} from unified.settings_forms where "applicationId" = $1 and id = $2 for update`,
    [scope.applicationId, id],
  );
  return rows[0] ?? null;
}

/** Creates a form, or replaces the one with its name. */
export async function saveSettingsForm<Schema extends object>(
  scope: ApplicationScope,
  { id, title, schema }: Omit<SettingsForm<Schema>, 'updatedAt'>,
): Promise<SettingsForm<Schema>> {
  const { rows } = await asOwner<SettingsForm<Schema>>(
    storeOf(scope),
    `insert into unified.settings_forms as f ("applicationId", id, title, schema) values ($1, $2, $3, $4)
     on conflict ("applicationId", id) do update
        set title = excluded.title, schema = excluded.schema, "updatedAt" = now()
     returning ${COLUMNS}`,
    [scope.applicationId, id, title, JSON.stringify(schema)],
  );
  const [saved] = rows;
  if (!saved) throw new Error('The form was not saved.');
  return saved;
}

/** Deletes a form and removes it from all connections. Returns whether there was one. */
export async function deleteSettingsForm(scope: ApplicationScope, id: string): Promise<boolean> {
  return inOwnerTransaction(storeOf(scope), async (client) => {
    const values = [scope.applicationId, id];
    const { rowCount } = await client.query(
      'delete from unified.settings_forms where "applicationId" = $1 and id = $2',
      values,
    );
    await client.query(
      `update unified.connections set forms = array_remove(forms, $2)
        where "applicationId" = $1 and $2 = any(forms)`,
      values,
    );
    return rowCount === 1;
  });
}

/** The forms of a connection in the order in which they are shown; empty if the application has no such connection. */
export async function formsOfConnection<Schema extends object>(
  scope: ApplicationScope,
  connectionId: string,
): Promise<SettingsForm<Schema>[]> {
  const { rows } = await asOwner<SettingsForm<Schema>>(
    storeOf(scope),
    `select f.id, f.title, f.schema, f."updatedAt"
       from unified.connections c cross join unnest(c.forms) with ordinality as selected (name, position)
       join unified.settings_forms f on f."applicationId" = c."applicationId" and f.id = selected.name
      where c."applicationId" = $1 and c.id = $2 and c."deletedAt" is null
      order by selected.position`,
    [scope.applicationId, connectionId],
  );
  return rows;
}
