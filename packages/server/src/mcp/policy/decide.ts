import { type CallFacts, isMet } from './argument-condition.ts';
import {
  baseDecision,
  type Decision,
  type NumberedRule,
  type Policy,
  type PolicyTool,
  rulesFor,
  withGuardrails,
  withRule,
} from './policy.ts';
import { isInHours } from './rule-hours.ts';

/** A call, and when it is made. */
export interface Call extends CallFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Decides about a call: what the role and its preset allow, restricted by the last rule that matches the call, then by the
 * guardrails. The result depends only on the arguments of this function, so it can be computed again for logged calls.
 */
export function decide(policy: Policy, tool: PolicyTool, call: Call): Decision {
  const base = baseDecision(policy, tool);
  if (base.isFixed) return onlyDecision(base);
  const rule = rulesFor(policy, tool).findLast((each) => applies(each, call));
  const decision = rule ? withRule(base, rule) : base;
  return onlyDecision(withGuardrails(policy, tool, decision));
}

function applies({ when = [], hours }: NumberedRule, call: Call): boolean {
  return when.every((condition) => isMet(condition, call)) && (hours === undefined || isInHours(hours, call.now));
}

function onlyDecision({ effect, rule, approvals }: Decision): Decision {
  return { effect, rule, approvals };
}
