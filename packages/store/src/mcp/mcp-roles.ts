import { v7 as newId } from 'uuid';
import { asOwner } from '../access/store.ts';
import { isUuid } from '../sql/parameter.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';
import { rethrowTaken } from './value-taken.ts';

/** Names of sets of tools. */
export type McpPreset = 'read_only' | 'read_write' | 'full' | 'custom';

/** What users with a role may do on one platform. */
export interface PlatformPreset {
  readonly platform: string;
  readonly preset: McpPreset;
}

/** What a group of users may do. */
export interface McpRole {
  readonly id: string;
  /** The client that created it. */
  readonly clientId: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly isDefault: boolean;
  readonly userCount: number;
  readonly platforms: PlatformPreset[];
  /** Fields that are hidden from its users: a field name, or an entity and a field name. */
  readonly maskedFields: string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Fields that can be set. Absent ones stay unchanged. */
export type McpRoleFields = {
  readonly [Name in 'name' | 'slug' | 'description' | 'isDefault' | 'platforms' | 'maskedFields']?:
    | McpRole[Name]
    | undefined;
};

const COLUMNS = `r.id, r."clientId", r.name, r.slug, r.description, r."isDefault", r.platforms, r."maskedFields",
  r."createdAt", r."updatedAt",
  (select count(*)::int from unified.mcp_users u where u."endCustomerId" = r."endCustomerId"
      and (u."roleId" = r.id or r."isDefault" and u."roleId" is null)) as "userCount"`;
const taken = rethrowTaken('mcp_roles_by_slug', 'Another role of the end customer has this slug.');

/** The roles of an end customer, oldest first. */
export async function listMcpRoles(scope: EndCustomerScope): Promise<McpRole[]> {
  const { rows } = await asOwner<McpRole>(
    storeOfCustomer(scope),
    `select ${COLUMNS} from unified.mcp_roles r where r."endCustomerId" = $1 order by r.id`,
    [scope.endCustomerId],
  );
  return rows;
}

/** One role. Null when the end customer does not have it. */
export async function mcpRoleById(scope: EndCustomerScope, id: string): Promise<McpRole | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<McpRole>(
    storeOfCustomer(scope),
    `select ${COLUMNS} from unified.mcp_roles r where r."endCustomerId" = $1 and r.id = $2`,
    [scope.endCustomerId, id],
  );
  return rows[0] ?? null;
}

/** Creates a role. A new default role replaces the previous one. Call it in a transaction. Throws `ValueTaken`. */
export async function createMcpRole(
  scope: EndCustomerScope,
  given: McpRoleFields & Pick<McpRole, 'name' | 'slug' | 'clientId'>,
): Promise<McpRole> {
  if (given.isDefault) await clearDefault(scope);
  const id = newId();
  await asOwner(
    storeOfCustomer(scope),
    `insert into unified.mcp_roles
       (id, "endCustomerId", "clientId", name, slug, description, "isDefault", platforms, "maskedFields")
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[id, scope.endCustomerId, given.clientId, given.name, given.slug, given.description ?? ''],
      ...[given.isDefault ?? false, JSON.stringify(given.platforms ?? []), given.maskedFields ?? []],
    ],
  ).catch(taken);
  return existing(scope, id);
}

/** Changes a role, which must exist. Call it in a transaction. Throws `ValueTaken`. */
export async function updateMcpRole(scope: EndCustomerScope, id: string, changes: McpRoleFields): Promise<McpRole> {
  if (changes.isDefault) await clearDefault(scope);
  await asOwner(
    storeOfCustomer(scope),
    `update unified.mcp_roles
        set name = coalesce($3, name), slug = coalesce($4, slug), description = coalesce($5, description),
            "isDefault" = coalesce($6, "isDefault"), platforms = coalesce($7, platforms),
            "maskedFields" = coalesce($8, "maskedFields"), "updatedAt" = now()
      where "endCustomerId" = $1 and id = $2`,
    [
      ...[scope.endCustomerId, id, changes.name ?? null, changes.slug ?? null, changes.description ?? null],
      ...[changes.isDefault ?? null, changes.platforms ? JSON.stringify(changes.platforms) : null],
      changes.maskedFields ?? null,
    ],
  ).catch(taken);
  return existing(scope, id);
}

/** Deletes a role; its users have the default role from then on. */
export async function deleteMcpRole(scope: EndCustomerScope, id: string): Promise<void> {
  await asOwner(storeOfCustomer(scope), 'delete from unified.mcp_roles where "endCustomerId" = $1 and id = $2', [
    ...[scope.endCustomerId, id],
  ]);
}

async function clearDefault(scope: EndCustomerScope): Promise<void> {
  await asOwner(
    storeOfCustomer(scope),
    'update unified.mcp_roles set "isDefault" = false, "updatedAt" = now() where "endCustomerId" = $1 and "isDefault"',
    [scope.endCustomerId],
  );
}

async function existing(scope: EndCustomerScope, id: string): Promise<McpRole> {
  const role = await mcpRoleById(scope, id);
  if (!role) throw new Error('The role was deleted during its change.');
  return role;
}
