import type { components } from '@unified/contract';
import { asOwner } from '../access/store.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';

/** A rule for some tool calls, in the form that the document describes. */
export type ToolRule = components['schemas']['ToolRule'];

/** Limits for all calls. */
export interface Guardrails {
  /** Maximum number of calls per user and hour; null if there is none. */
  readonly callsPerHour: number | null;
  readonly requiresConfirmation: boolean;
  /** A field name, or an entity and a field name. */
  readonly maskedFields: string[];
}

/** What applies to all users of an end customer. */
export interface PolicySettings {
  /** Ids of the platforms that users can see; null means all. */
  readonly platforms: string[] | null;
  readonly rules: ToolRule[];
  /** When the rules were set; null if never. */
  readonly rulesUpdatedAt: string | null;
  readonly guardrails: Guardrails;
}

const NO_GUARDRAILS: Guardrails = { callsPerHour: null, requiresConfirmation: false, maskedFields: [] };

/** The settings of an end customer; the default settings if it was deleted. */
export async function policySettings(scope: EndCustomerScope): Promise<PolicySettings> {
  const { rows } = await asOwner<{ [Name in keyof PolicySettings]: PolicySettings[Name] | null }>(
    storeOfCustomer(scope),
    'select platforms, rules, "rulesUpdatedAt", guardrails from unified.end_customers where id = $1',
    [scope.endCustomerId],
  );
  const { platforms = null, rules = null, rulesUpdatedAt = null, guardrails = null } = rows[0] ?? {};
  return { platforms, rules: rules ?? [], rulesUpdatedAt, guardrails: guardrails ?? NO_GUARDRAILS };
}

/** Changes some of the settings. */
export async function savePolicySettings(
  scope: EndCustomerScope,
  { platforms, rules, guardrails }: Partial<Omit<PolicySettings, 'rulesUpdatedAt'>>,
): Promise<void> {
  await asOwner(
    storeOfCustomer(scope),
    `update unified.end_customers
        set platforms = case when $2 then $3::text[] else platforms end, rules = coalesce($4, rules),
            "rulesUpdatedAt" = case when $4::json is null then "rulesUpdatedAt" else now() end,
            guardrails = coalesce($5, guardrails)
      where id = $1`,
    [
      ...[scope.endCustomerId, platforms !== undefined, platforms ?? null],
      ...[rules ? JSON.stringify(rules) : null, guardrails ? JSON.stringify(guardrails) : null],
    ],
  );
}
