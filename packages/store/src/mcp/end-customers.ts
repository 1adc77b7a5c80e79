import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';
import { rethrowTaken } from './value-taken.ts';

/** A customer of an application whose users use MCP. */
export interface EndCustomer {
  readonly id: string;
  readonly name: string;
  /** Identifier in the system of the application. */
  readonly externalId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Fields that can be set. Absent ones stay unchanged. */
export interface EndCustomerFields {
  readonly name?: string | undefined;
  readonly externalId?: string | null | undefined;
}

const COLUMNS = 'id, name, "externalId", "createdAt", "updatedAt"';
const taken = rethrowTaken(
  'end_customers_by_external_id',
  'Another end customer of the application has this externalId.',
);

/** End customers of the application, oldest first; only those after a given id. */
export async function pageOfEndCustomers(
  scope: ApplicationScope,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<EndCustomer[]> {
  const { rows } = await asOwner<EndCustomer>(
    storeOf(scope),
    `select ${COLUMNS} from unified.end_customers
      where "applicationId" = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    [scope.applicationId, after ?? null, limit],
  );
  return rows;
}

/** Throws `ValueTaken`. */
export async function createEndCustomer(
  scope: ApplicationScope,
  { name, externalId }: EndCustomerFields & { readonly name: string },
): Promise<EndCustomer> {
  const { rows } = await asOwner<EndCustomer>(
    storeOf(scope),
    `insert into unified.end_customers (id, "applicationId", name, "externalId") values ($1, $2, $3, $4)
     returning ${COLUMNS}`,
    [newId(), scope.applicationId, name, externalId ?? null],
  ).catch(taken);
  const [made] = rows;
  if (!made) throw new Error('The end customer was not created.');
  return made;
}

/** The end customer, locked until the end of a transaction. Null when it was deleted. */
export async function lockEndCustomer(scope: EndCustomerScope): Promise<EndCustomer | null> {
  const { rows } = await asOwner<EndCustomer>(
    storeOfCustomer(scope),
    `select ${COLUMNS} from unified.end_customers where id = $1 for no key update`,
    [scope.endCustomerId],
  );
  return rows[0] ?? null;
}

/** Null when it was deleted. Throws `ValueTaken`. */
export async function updateEndCustomer(
  scope: EndCustomerScope,
  { name, externalId }: EndCustomerFields,
): Promise<EndCustomer | null> {
  const { rows } = await asOwner<EndCustomer>(
    storeOfCustomer(scope),
    `update unified.end_customers
        set name = coalesce($2, name), "externalId" = case when $3 then $4 else "externalId" end, "updatedAt" = now()
      where id = $1 returning ${COLUMNS}`,
    [scope.endCustomerId, name ?? null, externalId !== undefined, externalId ?? null],
  ).catch(taken);
  return rows[0] ?? null;
}

/** Deletes an end customer with its roles, users, tokens and settings. The caller is responsible for its connections. */
export async function deleteEndCustomer(scope: EndCustomerScope): Promise<void> {
  await asOwner(storeOfCustomer(scope), 'delete from unified.end_customers where id = $1', [scope.endCustomerId]);
}

/** Ids of its connections that are not deleted, oldest first. */
export async function connectionsOfEndCustomer(scope: EndCustomerScope): Promise<string[]> {
  const { rows } = await asOwner<{ id: string }>(
    storeOfCustomer(scope),
    `select id from unified.connections
      where "applicationId" = $1 and "endCustomerId" = $2 and "deletedAt" is null order by id`,
    [scope.applicationId, scope.endCustomerId],
  );
  return rows.map(({ id }) => id);
}
