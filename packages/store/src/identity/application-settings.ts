import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, type Store } from '../access/store.ts';

/** A version of the data API. */
export type ApiVersion = 'v3' | 'v4';

/** An application with its settings. */
export interface ApplicationSettings {
  readonly id: string;
  readonly name: string;
  readonly apiVersion: ApiVersion;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const COLUMNS = 'id, name, "apiVersion", "createdAt", "updatedAt"';

/** Null when the application no longer exists. */
export async function applicationSettings(scope: ApplicationScope): Promise<ApplicationSettings | null> {
  const { rows } = await asOwner<ApplicationSettings>(
    storeOf(scope),
    `select ${COLUMNS} from unified.applications where id = $1`,
    [scope.applicationId],
  );
  return rows[0] ?? null;
}

/** The same, locked until the end of the transaction. */
export async function lockApplicationSettings(scope: ApplicationScope): Promise<ApplicationSettings | null> {
  const { rows } = await asOwner<ApplicationSettings>(
    storeOf(scope),
    `select ${COLUMNS} from unified.applications where id = $1 for no key update`,
    [scope.applicationId],
  );
  return rows[0] ?? null;
}

/** Changes settings; absent ones stay unchanged. Null when the application no longer exists. */
export async function changeApplicationSettings(
  scope: ApplicationScope,
  { apiVersion }: { readonly apiVersion?: ApiVersion },
): Promise<ApplicationSettings | null> {
  const { rows } = await asOwner<ApplicationSettings>(
    storeOf(scope),
    `update unified.applications set "apiVersion" = coalesce($2, "apiVersion"), "updatedAt" = now()
      where id = $1 returning ${COLUMNS}`,
    [scope.applicationId, apiVersion ?? null],
  );
  return rows[0] ?? null;
}

/** The version that an application has selected; `v4` when there is no such application. */
export async function apiVersionOf(store: Store, applicationId: string): Promise<ApiVersion> {
  const { rows } = await asOwner<{ apiVersion: ApiVersion }>(
    store,
    'select "apiVersion" from unified.applications where id = $1',
    [applicationId],
  );
  return rows[0]?.apiVersion ?? 'v4';
}
