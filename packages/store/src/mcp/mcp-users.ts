import { v7 as newId } from 'uuid';
import { asOwner } from '../access/store.ts';
import { isUuid } from '../sql/parameter.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';
import { rethrowTaken } from './value-taken.ts';

/** A person who uses MCP. */
export interface McpUser {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  /** Null means the default role. */
  readonly roleId: string | null;
  /** Whether the user's tokens are accepted. */
  readonly isActive: boolean;
  /** When the user last called a tool, to the minute. */
  readonly lastSeenAt: string | null;
  readonly createdAt: string;
}

/** Fields that can be set. Absent ones stay unchanged. */
export type McpUserFields = {
  readonly [Name in 'email' | 'name' | 'roleId' | 'isActive']?: McpUser[Name] | undefined;
};

const COLUMNS = 'id, email, name, "roleId", "isActive", "lastSeenAt", "createdAt"';
const taken = rethrowTaken('mcp_users_by_email', 'Another user of the end customer has this email address.');

/** Users of an end customer, oldest first; only those after a given id. */
export async function pageOfMcpUsers(
  scope: EndCustomerScope,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<McpUser[]> {
  const { rows } = await asOwner<McpUser>(
    storeOfCustomer(scope),
    `select ${COLUMNS} from unified.mcp_users
      where "endCustomerId" = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    [scope.endCustomerId, after ?? null, limit],
  );
  return rows;
}

/** One user. Null when the end customer does not have it. */
export async function mcpUserById(scope: EndCustomerScope, id: string): Promise<McpUser | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<McpUser>(
    storeOfCustomer(scope),
    `select ${COLUMNS} from unified.mcp_users where "endCustomerId" = $1 and id = $2`,
    [scope.endCustomerId, id],
  );
  return rows[0] ?? null;
}

/** Creates an active user unless `isActive` is false. Throws `ValueTaken`. */
export async function createMcpUser(
  scope: EndCustomerScope,
  { email, name, roleId, isActive }: McpUserFields & Pick<McpUser, 'email'>,
): Promise<McpUser> {
  const { rows } = await asOwner<McpUser>(
    storeOfCustomer(scope),
    `insert into unified.mcp_users (id, "endCustomerId", email, name, "roleId", "isActive")
     values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    [newId(), scope.endCustomerId, email, name ?? null, roleId ?? null, isActive ?? true],
  ).catch(taken);
  const [made] = rows;
  if (!made) throw new Error('The user was not created.');
  return made;
}

/** Changes a user. Null when the end customer does not have it. Throws `ValueTaken`. */
export async function updateMcpUser(
  scope: EndCustomerScope,
  id: string,
  { email, name, roleId, isActive }: McpUserFields,
): Promise<McpUser | null> {
  const { rows } = await asOwner<McpUser>(
    storeOfCustomer(scope),
    `update unified.mcp_users
        set email = coalesce($3, email), name = case when $4 then $5 else name end,
            "roleId" = case when $6 then $7::uuid else "roleId" end, "isActive" = coalesce($8, "isActive")
      where "endCustomerId" = $1 and id = $2 returning ${COLUMNS}`,
    [
      ...[scope.endCustomerId, id, email ?? null, name !== undefined, name ?? null],
      ...[roleId !== undefined, roleId ?? null, isActive ?? null],
    ],
  ).catch(taken);
  return rows[0] ?? null;
}

/** Deletes a user with its tokens and access requests. */
export async function deleteMcpUser(scope: EndCustomerScope, id: string): Promise<void> {
  await asOwner(storeOfCustomer(scope), 'delete from unified.mcp_users where "endCustomerId" = $1 and id = $2', [
    ...[scope.endCustomerId, id],
  ]);
}
