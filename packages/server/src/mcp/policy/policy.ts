import type { Guardrails, McpPreset, PlatformPreset, ToolDecision, ToolRule } from '@unified/store';

/** What the calls of a tool do. */
export type ToolAccess = 'read' | 'write' | 'delete';

/** The properties of a platform's tool that matter for a policy. */
export interface PolicyTool {
  readonly platform: string;
  readonly name: string;
  readonly access: ToolAccess;
}

/** The role of a user. */
export interface PolicyRole {
  readonly slug: string;
  readonly platforms: readonly PlatformPreset[];
}

/** Everything that determines what a user may do. */
export interface Policy {
  /** Null if the user has no role, and there is no default role. */
  readonly role: PolicyRole | null;
  /** Ids of the platforms that the user can see; null means all. */
  readonly platforms: readonly string[] | null;
  readonly rules: readonly ToolRule[];
  readonly guardrails: Pick<Guardrails, 'requiresConfirmation'>;
  /** Tools that a decision has allowed to the user. */
  readonly granted: readonly { readonly platform: string; readonly tool: string }[];
}

/** The effect of a call, and what decided it. */
export interface Decision {
  readonly effect: ToolDecision;
  /** A text for people, such as `rule 2: Orders above 5000`. */
  readonly rule: string;
  /** Number of people who must approve a call with the effect `ask`. */
  readonly approvals: number;
}

/** A rule with its position in the policy, from 1. */
export interface NumberedRule extends ToolRule {
  readonly number: number;
}

/** The effect before any rule is applied, and whether rules can only restrict it. */
export interface BaseDecision extends Decision {
  readonly isFixed: boolean;
  /** Whether a rule can allow what the preset denies. */
  readonly isOpen: boolean;
}

const PRESETS: Readonly<Record<McpPreset, readonly ToolAccess[]>> = {
  read_only: ['read'],
  read_write: ['read', 'write'],
  full: ['read', 'write', 'delete'],
  custom: [],
};

/** What the visible platforms, the role and granted requests allow. If `isFixed`, no rule applies. */
export function baseDecision(policy: Policy, tool: PolicyTool): BaseDecision {
  const { role, platforms } = policy;
  const denied = (rule: string): BaseDecision => ({ effect: 'deny', rule, approvals: 1, isFixed: true, isOpen: false });
  if (platforms && !platforms.includes(tool.platform)) return denied(`platform ${tool.platform} is not visible`);
  if (!role) return denied('the user has no role');
  const preset = role.platforms.find(({ platform }) => platform === tool.platform)?.preset;
  if (isGranted(policy, tool)) return decided('allow', 'approved access request');
  if (!preset) return denied(`role ${role.slug} does not include the platform ${tool.platform}`);
  const rule = `preset ${preset} of the role ${role.slug}`;
  const isOpen = preset === 'custom';
  return { ...decided(PRESETS[preset].includes(tool.access) ? 'allow' : 'deny', rule), isOpen };
}

function decided(effect: ToolDecision, rule: string): BaseDecision {
  return { effect, rule, approvals: 1, isFixed: false, isOpen: false };
}

/**
 * The rules that may apply to calls of a tool by a user, in their order. A rule that denies without conditions does not apply
 * to a tool that was granted.
 */
export function rulesFor(policy: Policy, tool: PolicyTool): NumberedRule[] {
  const isLifted = (rule: ToolRule) => rule.effect === 'deny' && !isConditional(rule) && isGranted(policy, tool);
  return policy.rules
    .map((rule, index) => ({ ...rule, number: index + 1 }))
    .filter((rule) => names(rule, tool) && isForRole(rule, policy.role) && !isLifted(rule));
}

function isGranted({ granted }: Policy, { platform, name }: PolicyTool): boolean {
  return granted.some((each) => each.platform === platform && each.tool === name);
}

function names({ platform, tool: pattern }: ToolRule, tool: PolicyTool): boolean {
  return (platform === undefined || platform === tool.platform) && matchesPattern(pattern, tool.name);
}

function isForRole({ roles }: ToolRule, role: PolicyRole | null): boolean {
  return roles === undefined || (role !== null && roles.includes(role.slug));
}

/** Whether a rule applies only to some calls of its tools. */
export function isConditional({ when, hours }: ToolRule): boolean {
  return when !== undefined || hours !== undefined;
}

/**
 * Whether a name matches a pattern in which `*` stands for any characters. The time is at most proportional to the product of
 * their lengths.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

const STRICTNESS: Readonly<Record<ToolDecision, number>> = { allow: 0, ask: 1, deny: 2 };

/** The effect after applying a rule. */
export function withRule(base: BaseDecision, rule: NumberedRule): Decision {
  const { effect, approvals = 1 } = rule;
  const isReplaced = base.isOpen || STRICTNESS[effect] >= STRICTNESS[base.effect];
  return isReplaced ? { effect, rule: labelOf(rule), approvals } : base;
}

/** The name of a rule, for people. */
export function labelOf({ number, name }: NumberedRule): string {
  return name === undefined ? `rule ${number}` : `rule ${number}: ${name}`;
}

/** The same decision, or `ask` if guardrails require a person to confirm writes. */
export function withGuardrails({ guardrails }: Policy, tool: PolicyTool, decision: Decision): Decision {
  const isConfirmed = guardrails.requiresConfirmation && tool.access !== 'read' && decision.effect === 'allow';
  return isConfirmed ? { effect: 'ask', rule: 'guardrail requiresConfirmation', approvals: 1 } : decision;
}
