import { asOwner } from '../access/store.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';

/** A credential that all users of an end customer share, and the connection that uses it. */
export interface CompanyCredential {
  readonly platform: string;
  readonly connectionId: string;
  readonly updatedAt: string;
}

/** The credentials of an end customer by platform, without those whose connection was deleted. */
export async function listCompanyCredentials(scope: EndCustomerScope): Promise<CompanyCredential[]> {
  const { rows } = await asOwner<CompanyCredential>(
    storeOfCustomer(scope),
    `select k.platform, k."connectionId", k."updatedAt"
       from unified.company_credentials k join unified.connections c on c.id = k."connectionId"
      where k."endCustomerId" = $1 and c."deletedAt" is null order by k.platform`,
    [scope.endCustomerId],
  );
  return rows;
}

/** Stores which connection uses the credential for a platform. */
export async function saveCompanyCredential(
  scope: EndCustomerScope,
  platform: string,
  connectionId: string,
): Promise<CompanyCredential> {
  const { rows } = await asOwner<CompanyCredential>(
    storeOfCustomer(scope),
    `insert into unified.company_credentials ("endCustomerId", platform, "connectionId") values ($1, $2, $3)
     on conflict ("endCustomerId", platform) do update
        set "connectionId" = excluded."connectionId", "updatedAt" = now()
     returning platform, "connectionId", "updatedAt"`,
    [scope.endCustomerId, platform, connectionId],
  );
  const [saved] = rows;
  if (!saved) throw new Error('The credential was not saved.');
  return saved;
}

/** Removes the credential for a platform. The caller is responsible for its connection. */
export async function deleteCompanyCredential(scope: EndCustomerScope, platform: string): Promise<void> {
  await asOwner(
    storeOfCustomer(scope),
    'delete from unified.company_credentials where "endCustomerId" = $1 and platform = $2',
    [scope.endCustomerId, platform],
  );
}

/**
 * A connection through which the users of an end customer call the tools of a platform. The oldest active connection made for
 * the end customer is preferred, then the one of a company-wide credential, then inactive ones.
 */
export interface McpConnection {
  readonly platform: string;
  readonly connectionId: string;
  readonly status: 'active' | 'inactive';
}
