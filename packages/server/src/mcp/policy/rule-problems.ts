import type { ToolRule } from '@unified/store';
import type { ArgumentCondition } from './argument-condition.ts';
import { isConditional, matchesPattern } from './policy.ts';
import { isTimeZone } from './rule-hours.ts';

/** What is wrong with a rule, and where, such as `rules/0/when/1/value`. */
export interface RuleProblem {
  readonly path: string;
  readonly message: string;
}

/** The names that rules can use. */
export interface Known {
  readonly platforms: readonly string[];
  /** Slugs of roles. */
  readonly roles: readonly string[];
  readonly tools: readonly string[];
}

/** The first problem in rules that the document itself allows; undefined if there is none. */
export function ruleProblem(rules: readonly ToolRule[], known: Known): RuleProblem | undefined {
  for (const [index, rule] of rules.entries()) {
    const problem = problemOf(rule, known) ?? contradiction(rule, rules.slice(index + 1), index);
    if (problem) return { path: `rules/${index}/${problem.path}`, message: problem.message };
  }
  return undefined;
}

function problemOf(rule: ToolRule, { platforms, roles, tools }: Known): RuleProblem | undefined {
  const { platform, tool, hours, effect, approvals } = rule;
  if (platform !== undefined && !platforms.includes(platform))
    return { path: 'platform', message: `There is no platform "${platform}". Use one of ${platforms.join(', ')}.` };
  const unknown = rule.roles?.find((each) => !roles.includes(each));
  if (unknown !== undefined) return { path: 'roles', message: `The end customer has no role "${unknown}".` };
  if (!tools.some((name) => matchesPattern(tool, name)))
    return { path: 'tool', message: `No tool matches "${tool}". GET /mcp/tools lists the tools.` };
  if (approvals !== undefined && effect !== 'ask')
    return { path: 'approvals', message: 'Only a rule with the effect ask has approvals. Remove them.' };
  if (hours && !isTimeZone(hours.timeZone))
    return { path: 'hours/timeZone', message: 'There is no such time zone. Use a name such as Europe/Berlin.' };
  if (hours && hours.from >= hours.to)
    return { path: 'hours/to', message: 'The end must be after the beginning. Use two rules for hours past midnight.' };
  for (const [index, condition] of (rule.when ?? []).entries()) {
    const wrong = conditionProblem(condition);
    if (wrong) return { path: `when/${index}/${wrong.path}`, message: wrong.message };
  }
  return undefined;
}

const TAKES: Readonly<Record<ArgumentCondition['operator'], 'value' | 'values' | undefined>> = {
  above: 'value',
  below: 'value',
  in: 'values',
  not_in: 'values',
  absent: undefined,
  present: undefined,
};

function conditionProblem(condition: ArgumentCondition): RuleProblem | undefined {
  const { operator } = condition;
  const wanted = TAKES[operator];
  for (const name of ['value', 'values'] as const) {
    const isSent = condition[name] !== undefined;
    if (isSent && name !== wanted) return { path: name, message: `${operator} takes no ${name}. Remove it.` };
    if (!isSent && name === wanted) return { path: name, message: `${operator} needs ${name}.` };
  }
  return undefined;
}

/** A rule can never apply if a later one without conditions matches all of its calls. */
function contradiction(rule: ToolRule, later: readonly ToolRule[], index: number): RuleProblem | undefined {
  const covering = later.findIndex((each) => covers(each, rule));
  if (covering < 0) return undefined;
  const number = index + covering + 2;
  const message = `The rule can never apply, because rule ${number} matches all of its calls and the last rule that matches applies. Move it after that rule, or remove it.`;
  return { path: 'tool', message };
}

function covers(wide: ToolRule, narrow: ToolRule): boolean {
  if (isConditional(wide)) return false;
  const isPlatform = wide.platform === undefined || wide.platform === narrow.platform;
  const isRole = wide.roles === undefined || (narrow.roles?.every((each) => wide.roles?.includes(each)) ?? false);
  // A `*` in the narrow pattern can only be matched by one in the wide pattern.
  return isPlatform && isRole && matchesPattern(wide.tool, narrow.tool);
}
