import type { McpPreset, ToolRule } from '@unified/store';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import type { Policy, PolicyTool, ToolAccess } from './policy.ts';

/** Friday, 2026-11-20, 10:30 in Berlin. */
const FRIDAY = Date.parse('2026-11-20T09:30:00Z');
const HOUR = 3_600_000;

const TOOLS: Readonly<Record<string, ToolAccess>> = {
  list_vendors: 'read',
  get_vendor: 'read',
  create_vendor: 'write',
  update_vendor: 'write',
  delete_vendor: 'delete',
  create_purchase_order: 'write',
  approve_purchase_order: 'write',
  list_employees: 'read',
};

interface Given {
  readonly preset?: McpPreset | null;
  readonly role?: null;
  readonly rules?: readonly ToolRule[];
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly confirm?: boolean;
  readonly granted?: readonly string[];
  readonly platforms?: readonly string[];
  readonly now?: number;
}

type Case = readonly [title: string, tool: string, given: Given, effect: string, rule?: string];

function policyOf({ preset = 'full', role, rules = [], confirm = false, granted = [], platforms }: Given): Policy {
  return {
    role: role === null ? null : { slug: 'clerk', platforms: preset ? [{ platform: 'tryton', preset }] : [] },
    ...{ platforms: platforms ?? null, rules, guardrails: { requiresConfirmation: confirm } },
    granted: granted.map((tool) => ({ platform: 'tryton', tool })),
  };
}

const total = (value: number) => ({ body: { total: value } });
const above = (value: number, more: Partial<ToolRule> = {}): ToolRule => ({
  ...{ tool: 'create_purchase_order', effect: 'ask', when: [{ argument: 'body.total', operator: 'above', value }] },
  ...more,
});
const below = (value: number): ToolRule => ({
  ...{ tool: 'create_purchase_order', effect: 'deny', when: [{ argument: 'body.total', operator: 'below', value }] },
});
const site = (operator: 'in' | 'not_in', ...values: string[]): ToolRule => ({
  ...{ tool: 'create_purchase_order', effect: 'deny', when: [{ argument: 'body.site', operator, values }] },
});
const lines = (operator: 'in' | 'not_in', ...values: string[]): ToolRule => ({
  ...{ tool: 'create_purchase_order', effect: 'deny', when: [{ argument: 'body.lines.account', operator, values }] },
});
const office: NonNullable<ToolRule['hours']> = {
  ...{
    timeZone: 'Europe/Berlin',
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    from: '08:00',
    to: '18:00',
    outside: true,
  },
};
const closed: ToolRule = { tool: 'create_*', effect: 'deny', hours: office };
const deny = (tool: string, more: Partial<ToolRule> = {}): ToolRule => ({ tool, effect: 'deny', ...more });
const ask = (tool: string, more: Partial<ToolRule> = {}): ToolRule => ({ tool, effect: 'ask', ...more });
const allow = (tool: string, more: Partial<ToolRule> = {}): ToolRule => ({ tool, effect: 'allow', ...more });

const PRESETS: readonly Case[] = [
  ['read_only reads lists', 'list_vendors', { preset: 'read_only' }, 'allow', 'preset read_only of the role clerk'],
  ['read_only reads records', 'get_vendor', { preset: 'read_only' }, 'allow'],
  ['read_only does not create', 'create_vendor', { preset: 'read_only' }, 'deny', 'preset read_only of the role clerk'],
  ['read_only does not change', 'update_vendor', { preset: 'read_only' }, 'deny'],
  ['read_only does not delete', 'delete_vendor', { preset: 'read_only' }, 'deny'],
  ['read_only carries out no actions', 'approve_purchase_order', { preset: 'read_only' }, 'deny'],
  ['read_write reads', 'list_vendors', { preset: 'read_write' }, 'allow'],
  ['read_write creates', 'create_vendor', { preset: 'read_write' }, 'allow'],
  ['read_write changes', 'update_vendor', { preset: 'read_write' }, 'allow'],
  ['read_write carries out actions', 'approve_purchase_order', { preset: 'read_write' }, 'allow'],
  ['read_write does not delete', 'delete_vendor', { preset: 'read_write' }, 'deny'],
  ['full reads', 'get_vendor', { preset: 'full' }, 'allow'],
  ['full creates', 'create_vendor', { preset: 'full' }, 'allow'],
  ['full deletes', 'delete_vendor', { preset: 'full' }, 'allow'],
  ['custom denies reads without a rule', 'list_vendors', { preset: 'custom' }, 'deny'],
  ['custom denies writes without a rule', 'create_vendor', { preset: 'custom' }, 'deny'],
  [
    'a role without the platform denies',
    'list_vendors',
    { preset: null },
    'deny',
    'role clerk does not include the platform tryton',
  ],
  ['no role denies', 'list_vendors', { role: null }, 'deny', 'the user has no role'],
  [
    'a platform that is not visible is denied',
    'list_vendors',
    { platforms: ['sandbox'] },
    'deny',
    'platform tryton is not visible',
  ],
  ['a visible platform is not', 'list_vendors', { platforms: ['sandbox', 'tryton'] }, 'allow'],
  ['no visible platforms deny all', 'list_vendors', { platforms: [] }, 'deny'],
];

const RULES: readonly Case[] = [
  ['a rule denies its tool', 'create_vendor', { rules: [deny('create_vendor')] }, 'deny', 'rule 1'],
  [
    'a rule has a name',
    'create_vendor',
    { rules: [deny('create_vendor', { name: 'No new vendors' })] },
    'deny',
    'rule 1: No new vendors',
  ],
  ['a rule does not affect other tools', 'update_vendor', { rules: [deny('create_vendor')] }, 'allow'],
  ['a pattern denies its tools', 'delete_vendor', { rules: [deny('delete_*')] }, 'deny'],
  ['a pattern does not affect others', 'create_vendor', { rules: [deny('delete_*')] }, 'allow'],
  ['a pattern can begin with a star', 'create_vendor', { rules: [deny('*_vendor')] }, 'deny'],
  ['a pattern matches the end', 'list_vendors', { rules: [deny('*_vendor')] }, 'allow'],
  ['a pattern can have two stars', 'create_purchase_order', { rules: [deny('*purchase*')] }, 'deny'],
  ['a star matches all', 'list_vendors', { rules: [deny('*')] }, 'deny'],
  ['the parts of a pattern do not overlap', 'get_vendor', { rules: [deny('get_vendor*dor')] }, 'allow'],
  ['a dot is not a wildcard', 'get_vendor', { rules: [deny('get.vendor')] }, 'allow'],
  [
    'the last matching rule applies: allow',
    'create_vendor',
    { rules: [deny('*'), allow('create_vendor')] },
    'allow',
    'rule 2',
  ],
  [
    'the last matching rule applies: deny',
    'create_vendor',
    { rules: [allow('create_*'), deny('create_vendor')] },
    'deny',
    'rule 2',
  ],
  [
    'the last matching rule applies: ask',
    'create_vendor',
    { rules: [deny('create_*'), ask('create_vendor')] },
    'ask',
    'rule 2',
  ],
  [
    'a rule of another platform does not apply',
    'create_vendor',
    { rules: [deny('*', { platform: 'sandbox' })] },
    'allow',
  ],
  ['a rule of the platform applies', 'create_vendor', { rules: [deny('*', { platform: 'tryton' })] }, 'deny'],
  ['a rule of another role does not apply', 'create_vendor', { rules: [deny('*', { roles: ['buyer'] })] }, 'allow'],
  ['a rule of the role applies', 'create_vendor', { rules: [deny('*', { roles: ['buyer', 'clerk'] })] }, 'deny'],
  [
    'a rule cannot widen read_only to writes',
    'create_vendor',
    { preset: 'read_only', rules: [allow('*')] },
    'deny',
    'preset read_only of the role clerk',
  ],
  ['nor to questions', 'create_vendor', { preset: 'read_only', rules: [ask('*')] }, 'deny'],
  ['nor read_write to deletes', 'delete_vendor', { preset: 'read_write', rules: [allow('delete_vendor')] }, 'deny'],
  [
    'a rule can restrict reads',
    'list_employees',
    { preset: 'read_only', rules: [deny('list_employees')] },
    'deny',
    'rule 1',
  ],
  ['a rule can ask for reads', 'list_employees', { preset: 'read_only', rules: [ask('list_employees')] }, 'ask'],
  ['custom allows by a rule', 'list_vendors', { preset: 'custom', rules: [allow('list_*')] }, 'allow', 'rule 1'],
  ['custom asks by a rule', 'delete_vendor', { preset: 'custom', rules: [ask('delete_*')] }, 'ask'],
  [
    'custom denies after an allowing rule',
    'list_vendors',
    { preset: 'custom', rules: [allow('*'), deny('list_vendors')] },
    'deny',
  ],
  ['custom is no role', 'list_vendors', { role: null, rules: [allow('*')] }, 'deny'],
  ['a rule cannot show a platform', 'list_vendors', { platforms: [], rules: [allow('*')] }, 'deny'],
  ['a rule cannot add a platform to a role', 'list_vendors', { preset: null, rules: [allow('*')] }, 'deny'],
];

const ORDER = 'create_purchase_order';
const AMOUNTS: readonly Case[] = [
  ['below the limit', ORDER, { rules: [above(5000)], arguments: total(4999.99) }, 'allow'],
  ['at the limit', ORDER, { rules: [above(5000)], arguments: total(5000) }, 'allow'],
  ['above the limit', ORDER, { rules: [above(5000)], arguments: total(5000.01) }, 'ask', 'rule 1'],
  ['without the amount', ORDER, { rules: [above(5000)], arguments: { body: {} } }, 'allow'],
  ['without a body', ORDER, { rules: [above(5000)] }, 'allow'],
  ['with null', ORDER, { rules: [above(5000)], arguments: { body: { total: null } } }, 'allow'],
  ['with a number as text', ORDER, { rules: [above(5000)], arguments: { body: { total: '9000' } } }, 'ask'],
  ['with a smaller number as text', ORDER, { rules: [above(5000)], arguments: { body: { total: ' 90 ' } } }, 'allow'],
  [
    'with text that is no number',
    ORDER,
    { rules: [above(5000)], arguments: { body: { total: '5,000.00 EUR' } } },
    'ask',
  ],
  ['with an object', ORDER, { rules: [above(5000)], arguments: { body: { total: { amount: 1 } } } }, 'ask'],
  [
    'with a list of which one is above',
    ORDER,
    { rules: [above(5000)], arguments: { body: { total: [1, 9000] } } },
    'ask',
  ],
  ['with infinity', ORDER, { rules: [above(5000)], arguments: total(Number.POSITIVE_INFINITY) }, 'ask'],
  ['with an empty text', ORDER, { rules: [above(5000)], arguments: { body: { total: '' } } }, 'ask'],
  [
    'a stricter rule above a higher limit',
    ORDER,
    { rules: [above(5000), above(50_000, { effect: 'deny' })], arguments: total(60_000) },
    'deny',
    'rule 2',
  ],
  [
    'between both limits',
    ORDER,
    { rules: [above(5000), above(50_000, { effect: 'deny' })], arguments: total(6000) },
    'ask',
    'rule 1',
  ],
  ['a negative amount below zero', ORDER, { rules: [below(0)], arguments: total(-1) }, 'deny'],
  ['zero is not below zero', ORDER, { rules: [below(0)], arguments: total(0) }, 'allow'],
  [
    'an amount of each line',
    ORDER,
    {
      rules: [above(100, { when: [{ argument: 'body.lines.unitPrice', operator: 'above', value: 100 }] })],
      arguments: { body: { lines: [{ unitPrice: 5 }, { unitPrice: 500 }] } },
    },
    'ask',
  ],
  [
    'the stored record is compared',
    'approve_purchase_order',
    {
      rules: [
        {
          tool: 'approve_*',
          effect: 'ask',
          approvals: 2,
          when: [{ argument: 'record.total', operator: 'above', value: 5000 }],
        },
      ],
      arguments: { id: 'x', record: { total: 7000 } },
    },
    'ask',
  ],
  [
    'a smaller stored record',
    'approve_purchase_order',
    {
      rules: [
        { tool: 'approve_*', effect: 'ask', when: [{ argument: 'record.total', operator: 'above', value: 5000 }] },
      ],
      arguments: { id: 'x', record: { total: 70 } },
    },
    'allow',
  ],
  [
    'all conditions must be met',
    ORDER,
    {
      rules: [
        above(5, {
          when: [
            { argument: 'body.total', operator: 'above', value: 5 },
            { argument: 'body.site', operator: 'in', values: ['Berlin'] },
          ],
        }),
      ],
      arguments: { body: { total: 9, site: 'Hamburg' } },
    },
    'allow',
  ],
];

const LISTS: readonly Case[] = [
  ['a site of a deny list', ORDER, { rules: [site('in', 'Berlin')], arguments: { body: { site: 'Berlin' } } }, 'deny'],
  [
    'a site of another case',
    ORDER,
    { rules: [site('in', 'Berlin')], arguments: { body: { site: ' BERLIN ' } } },
    'deny',
  ],
  [
    'a site that is not in the deny list',
    ORDER,
    { rules: [site('in', 'Berlin')], arguments: { body: { site: 'Hamburg' } } },
    'allow',
  ],
  [
    'a reference by its label',
    ORDER,
    { rules: [site('in', 'Berlin')], arguments: { body: { site: { _displayValue: 'Berlin' } } } },
    'deny',
  ],
  [
    'a reference by its key',
    ORDER,
    { rules: [site('in', '17')], arguments: { body: { site: { _idValue: '17' } } } },
    'deny',
  ],
  [
    'an allow list with the site',
    ORDER,
    { rules: [site('not_in', 'Berlin')], arguments: { body: { site: { _displayValue: 'Berlin' } } } },
    'allow',
  ],
  [
    'an allow list without the site',
    ORDER,
    { rules: [site('not_in', 'Berlin')], arguments: { body: { site: { _displayValue: 'Hamburg' } } } },
    'deny',
  ],
  ['an allow list and no site', ORDER, { rules: [site('not_in', 'Berlin')], arguments: { body: {} } }, 'deny'],
  [
    'an allow list and a reference that contradicts itself',
    ORDER,
    { rules: [site('not_in', 'Berlin')], arguments: { body: { site: { id: 'hamburg', _displayValue: 'Berlin' } } } },
    'deny',
  ],
  [
    'an allow list and an empty reference',
    ORDER,
    { rules: [site('not_in', 'Berlin')], arguments: { body: { site: {} } } },
    'deny',
  ],
  [
    'an allow list of accounts and one other line',
    ORDER,
    {
      rules: [lines('not_in', '6550')],
      arguments: { body: { lines: [{ account: { code: '6550' } }, { account: { code: '1020' } }] } },
    },
    'deny',
  ],
  [
    'an allow list of accounts and its lines only',
    ORDER,
    { rules: [lines('not_in', '6550')], arguments: { body: { lines: [{ account: { code: '6550' } }] } } },
    'allow',
  ],
  [
    'a deny list of accounts and one of its lines',
    ORDER,
    {
      rules: [lines('in', '1020')],
      arguments: { body: { lines: [{ account: { code: '6550' } }, { account: { code: '1020' } }] } },
    },
    'deny',
  ],
  ['numbers and texts are the same', ORDER, { rules: [site('in', '17')], arguments: { body: { site: 17 } } }, 'deny'],
  [
    'a field that must be absent',
    'create_vendor',
    {
      rules: [deny('create_vendor', { when: [{ argument: 'body.iban', operator: 'present' }] })],
      arguments: { body: { iban: 'DE' } },
    },
    'deny',
  ],
  [
    'and is',
    'create_vendor',
    {
      rules: [deny('create_vendor', { when: [{ argument: 'body.iban', operator: 'present' }] })],
      arguments: { body: { name: 'A' } },
    },
    'allow',
  ],
  [
    'a field that must be present',
    'create_vendor',
    {
      rules: [deny('create_vendor', { when: [{ argument: 'body.code', operator: 'absent' }] })],
      arguments: { body: { name: 'A' } },
    },
    'deny',
  ],
  [
    'a name of the prototype is not an argument',
    'create_vendor',
    {
      rules: [deny('create_vendor', { when: [{ argument: 'body.constructor', operator: 'present' }] })],
      arguments: { body: {} },
    },
    'allow',
  ],
];

const HOURS: readonly Case[] = [
  ['within office hours', 'create_vendor', { rules: [closed], now: FRIDAY }, 'allow'],
  ['before office hours', 'create_vendor', { rules: [closed], now: FRIDAY - 4 * HOUR }, 'deny', 'rule 1'],
  ['after office hours', 'create_vendor', { rules: [closed], now: FRIDAY + 8 * HOUR }, 'deny'],
  ['at the first minute', 'create_vendor', { rules: [closed], now: Date.parse('2026-11-20T07:00:00Z') }, 'allow'],
  ['at the end', 'create_vendor', { rules: [closed], now: Date.parse('2026-11-20T17:00:00Z') }, 'deny'],
  ['on a Saturday', 'create_vendor', { rules: [closed], now: FRIDAY + 24 * HOUR }, 'deny'],
  ['in summer time', 'create_vendor', { rules: [closed], now: Date.parse('2026-07-17T06:00:00Z') }, 'allow'],
  ['reads are not affected', 'list_vendors', { rules: [closed], now: FRIDAY + 24 * HOUR }, 'allow'],
  [
    'a rule that applies within hours',
    'create_vendor',
    { rules: [deny('create_*', { hours: { ...office, outside: false } })], now: FRIDAY },
    'deny',
  ],
];

const CONFIRMATION: readonly Case[] = [
  ['writes are asked about', 'create_vendor', { confirm: true }, 'ask', 'guardrail requiresConfirmation'],
  ['deletes are asked about', 'delete_vendor', { confirm: true }, 'ask'],
  ['reads are not', 'list_vendors', { confirm: true }, 'allow'],
  ['what is denied stays denied', 'create_vendor', { confirm: true, preset: 'read_only' }, 'deny'],
  ['a rule cannot lift it', 'create_vendor', { confirm: true, rules: [allow('create_vendor')] }, 'ask'],
  [
    'a granted tool is asked about',
    'create_vendor',
    { confirm: true, preset: 'read_only', granted: ['create_vendor'] },
    'ask',
  ],
];

const GRANTS: readonly Case[] = [
  [
    'lift what the preset denies',
    'create_vendor',
    { preset: 'read_only', granted: ['create_vendor'] },
    'allow',
    'approved access request',
  ],
  ['do not lift it for another tool', 'update_vendor', { preset: 'read_only', granted: ['create_vendor'] }, 'deny'],
  [
    'lift a rule without conditions',
    'delete_vendor',
    { rules: [deny('delete_*')], granted: ['delete_vendor'] },
    'allow',
  ],
  [
    'do not lift a limit',
    ORDER,
    { preset: 'read_only', granted: [ORDER], rules: [above(5000, { effect: 'deny' })], arguments: total(9000) },
    'deny',
    'rule 1',
  ],
  ['do not lift a question', ORDER, { granted: [ORDER], rules: [ask(ORDER)] }, 'ask'],
  [
    'do not lift hours',
    'create_vendor',
    { granted: ['create_vendor'], rules: [closed], now: FRIDAY + 24 * HOUR },
    'deny',
  ],
  ['do not show a platform', 'create_vendor', { granted: ['create_vendor'], platforms: [] }, 'deny'],
  ['apply without the platform in the role', 'create_vendor', { preset: null, granted: ['create_vendor'] }, 'allow'],
  ['do not replace a role', 'create_vendor', { role: null, granted: ['create_vendor'] }, 'deny'],
];

function decided([, name, given]: Case) {
  const tool: PolicyTool = { platform: 'tryton', name, access: TOOLS[name] ?? 'write' };
  const call = { values: given.arguments ?? {}, resolved: new Map(), now: given.now ?? FRIDAY };
  return decide(policyOf(given), tool, call);
}

const GROUPS = { PRESETS, RULES, AMOUNTS, LISTS, HOURS, CONFIRMATION, GRANTS };

describe.each(Object.entries(GROUPS))('%s', (_, cases) => {
  it.each(cases.map((each) => [each[0], each] as const))('%s', (_title, each) => {
    const [, , , effect, rule] = each;
    expect(decided(each)).toMatchObject({ effect, ...(rule !== undefined && { rule }) });
  });
});

it('the table has 100 cases', () => {
  expect(Object.values(GROUPS).flat().length).toBeGreaterThanOrEqual(100);
});

it('a record that was found replaces how it was named', () => {
  const policy = policyOf({ rules: [site('in', 'Hamburg')] });
  const tool: PolicyTool = { platform: 'tryton', name: ORDER, access: 'write' };
  const named = { body: { site: { id: '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b' } } };
  const resolved = new Map([['body.site', [{ id: named.body.site.id, _displayValue: 'Hamburg', isResolved: true }]]]);
  expect(decide(policy, tool, { values: named, resolved: new Map(), now: FRIDAY }).effect).toBe('allow');
  expect(decide(policy, tool, { values: named, resolved, now: FRIDAY }).effect).toBe('deny');
});

it('four eyes: a rule states how many people must approve', () => {
  const rules = [above(5000, { approvals: 2 })];
  const tool: PolicyTool = { platform: 'tryton', name: ORDER, access: 'write' };
  const call = { values: total(9000), resolved: new Map(), now: FRIDAY };
  expect(decide(policyOf({ rules }), tool, call)).toEqual({ effect: 'ask', rule: 'rule 1', approvals: 2 });
});
