import { asOwner } from '../access/store.ts';
import type { McpConnection } from './company-credentials.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';
import type { McpRole } from './mcp-roles.ts';
import type { PolicySettings } from './policy-settings.ts';

/** Everything that determines what a user may do, as one query reads it. */
export interface UserPolicy extends Omit<PolicySettings, 'rulesUpdatedAt'> {
  /** The role of the user, or the default role; null if there is none. */
  readonly role: Pick<McpRole, 'slug' | 'platforms' | 'maskedFields'> | null;
  /** Tools that a decision has allowed to the user. */
  readonly granted: { readonly platform: string; readonly tool: string }[];
  /** For each platform, the connection through which the user can call its tools. */
  readonly connections: McpConnection[];
  /** The same only as long as everything else is. */
  readonly state: string;
}

type Row = { readonly [Name in keyof UserPolicy]: UserPolicy[Name] | null };

/** SQL of everything that determines what the user `$2` of the end customer `$1` may do: one row, or none for a deleted user. */
export const POLICY = `
  select e.platforms, e.rules, e.guardrails,
         (select json_build_object('slug', r.slug, 'platforms', r.platforms, 'maskedFields', r."maskedFields")
            from unified.mcp_roles r
           where r."endCustomerId" = e.id and (r.id = u."roleId" or u."roleId" is null and r."isDefault")) as role,
         (select json_agg(distinct jsonb_build_object('platform', q.platform, 'tool', q.tool))
            from unified.access_requests q
           where q."userId" = u.id and q.status = 'approved' and q.proposal is null) as granted,
         (select json_agg(json_build_object('platform', f.platform, 'connectionId', f.id, 'status', f.status))
            from (select distinct on (c.platform) c.platform, c.id, c.status
                    from unified.connections c left join unified.company_credentials k on k."connectionId" = c.id
                   where c."applicationId" = e."applicationId" and c."endCustomerId" = e.id and c."deletedAt" is null
                   order by c.platform, c.status = 'inactive', k."connectionId" is not null, c.id) f) as connections
    from unified.mcp_users u join unified.end_customers e on e.id = u."endCustomerId"
   where e.id = $1 and u.id = $2`;

/** SQL of the state of a row `policy` of this: it is the same only if the policy is. */
export const POLICY_STATE = `md5(policy::text)`;

/** What determines what a user may do. Null when the user was deleted. */
export async function policyOfUser(scope: EndCustomerScope, userId: string): Promise<UserPolicy | null> {
  const text = `select policy.*, ${POLICY_STATE} as state from (${POLICY}) policy`;
  const query = { name: 'policy_of_user', text, values: [scope.endCustomerId, userId] };
  const { rows } = await asOwner<Row>(storeOfCustomer(scope), query);
  const [row] = rows;
  if (!row) return null;
  const { platforms, role, state } = row;
  const guardrails = row.guardrails ?? { callsPerHour: null, requiresConfirmation: false, maskedFields: [] };
  const lists = { rules: row.rules ?? [], granted: row.granted ?? [], connections: row.connections ?? [] };
  return { platforms, role, guardrails, ...lists, state: state ?? '' };
}
