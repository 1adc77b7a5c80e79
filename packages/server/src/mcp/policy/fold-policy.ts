import type { ToolRule } from '@unified/store';
import type { ArgumentCondition } from './argument-condition.ts';
import {
  baseDecision,
  type Decision,
  isConditional,
  labelOf,
  type NumberedRule,
  type Policy,
  type PolicyTool,
  rulesFor,
  withGuardrails,
  withRule,
} from './policy.ts';

/** What a policy means for a tool, for people and agents. */
export interface FoldedTool extends Decision {
  /** Conditions under which the effect differs; the first one that is met applies. */
  readonly conditions: string[];
}

/** Reduces a policy to the effect of a tool without conditions, and the conditions under which it differs. */
export function foldTool(policy: Policy, tool: PolicyTool): FoldedTool {
  const base = baseDecision(policy, tool);
  const { isFixed, isOpen: _, ...plain } = base;
  if (isFixed) return { ...plain, conditions: [] };
  const rules = rulesFor(policy, tool);
  const last = rules.findLastIndex((rule) => !isConditional(rule));
  const unconditional = rules[last];
  const { effect, rule, approvals } = withGuardrails(
    policy,
    tool,
    unconditional ? withRule(base, unconditional) : base,
  );
  const conditions = rules.slice(last + 1).toReversed();
  const described = conditions.map((each) => ({ each, made: withGuardrails(policy, tool, withRule(base, each)) }));
  const differs = ({ made }: { readonly made: Decision }) => made.effect !== effect || made.approvals !== approvals;
  return { effect, rule, approvals, conditions: described.filter(differs).map(sentence) };
}

/** Whether some calls of a tool are not denied. */
export function isCallable(policy: Policy, tool: PolicyTool): boolean {
  const base = baseDecision(policy, tool);
  if (base.isFixed) return false;
  const rules = rulesFor(policy, tool);
  const last = rules.findLastIndex((rule) => !isConditional(rule));
  const made = [base, ...rules.slice(Math.max(0, last)).map((rule) => withRule(base, rule))];
  return made.slice(last < 0 ? 0 : 1).some(({ effect }) => effect !== 'deny');
}

function sentence({ each, made }: { readonly each: NumberedRule; readonly made: Decision }): string {
  const parts = [...(each.when ?? []).map(conditionText), ...hoursText(each)];
  const persons = made.effect === 'ask' && made.approvals > 1 ? ` ${made.approvals} persons` : '';
  return `${made.effect}${persons} if ${parts.join(' and ')} (${labelOf(each)})`.slice(0, 2_000);
}

/** Maximum number of list values that a sentence names. */
const MOST_NAMED = 10;

function conditionText({ argument, operator, value, values = [] }: ArgumentCondition): string {
  const more = values.length > MOST_NAMED ? ` and ${values.length - MOST_NAMED} more` : '';
  const list = values.slice(0, MOST_NAMED).join(', ') + more;
  switch (operator) {
    case 'above':
    case 'below':
      return `${argument} is ${operator} ${value}`;
    case 'in':
      return `${argument} is one of ${list}`;
    case 'not_in':
      return `${argument} is not one of ${list}`;
    case 'absent':
    case 'present':
      return `${argument} is ${operator}`;
  }
}

function hoursText({ hours }: ToolRule): string[] {
  if (!hours) return [];
  const { days, from, to, timeZone, outside } = hours;
  return [`the time is ${outside ? 'outside' : 'within'} ${days.join(', ')} ${from} to ${to} (${timeZone})`];
}
