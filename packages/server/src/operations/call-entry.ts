import {
  type EndCustomerScope,
  endToolCall,
  logToolCall,
  type McpTokenHolder,
  type NewToolCall,
  type ToolCallOutcome,
} from '@unified/store';
import { toolNamed } from '../mcp/catalog/tools.ts';
import { masked } from '../mcp/policy/masked-fields.ts';
import type { Decision } from '../mcp/policy/policy.ts';
import type { CallOutcome, GivenCall } from './call-tool.ts';
import type { OwnPolicy } from './mcp-user-policy.ts';

/** What is logged of a call besides its decision and its outcome. */
interface LoggedCall {
  readonly customer: EndCustomerScope;
  readonly user: Pick<McpTokenHolder, 'userId' | 'tokenId'>;
  readonly agent: string | null;
  readonly policy: Pick<OwnPolicy, 'mask'>;
  readonly given: GivenCall;
  /** Time of the performance clock. */
  readonly began: number;
}

type Ending = Omit<ToolCallOutcome, 'milliseconds'>;

const LONGEST_RULE = 300;

/** The entry of a call. */
export function entryOf(call: LoggedCall, { effect, rule }: Decision, ending: Ending): NewToolCall {
  const { user, agent, policy, given } = call;
  const { tool, platform } = given;
  return {
    ...{ userId: user.userId, tokenId: user.tokenId, agent, platform, tool },
    arguments: masked(given.arguments, policy.mask, toolNamed(tool)?.entity ?? '') as GivenCall['arguments'],
    ...{ decision: effect, rule: rule.slice(0, LONGEST_RULE) },
    ...outcomeOf(call, ending),
  };
}

function outcomeOf({ began }: LoggedCall, ending: Ending): ToolCallOutcome {
  return { ...ending, milliseconds: performance.now() - began };
}

/** How a call ended, as it is logged. */
export function endingOf({ accessRequestId }: GivenCall, outcome: CallOutcome): Ending {
  if ('request' in outcome) return { isError: false, code: null, writeId: null, accessRequestId: outcome.request.id };
  const { isError, code, writeId } = outcome.result;
  return { accessRequestId: accessRequestId ?? null, isError, code, writeId };
}

/** The entry of a call in the log. */
export interface CallEntry {
  /** Notes the decision. If the call can change something, its entry is stored now, with an unknown outcome. */
  decided(decision: Decision, options: { readonly canChange: boolean }): Promise<void>;
  /** Stores the entry, or its outcome. Nothing may be returned to the caller before this resolves. */
  end(ending: Ending): Promise<void>;
}

const NO_DECISION: Decision = { effect: 'deny', rule: 'the call cannot be made', approvals: 1 };

/** Begins the entry of a call. */
export function callEntry(call: LoggedCall): CallEntry {
  const { customer, given } = call;
  let decision = NO_DECISION;
  let stored: string | undefined;
  return {
    async decided(made, { canChange }) {
      decision = made;
      if (canChange) stored = await logToolCall(customer, entryOf(call, decision, unknownEnding(given)));
    },
    async end(ending) {
      if (stored === undefined) await logToolCall(customer, entryOf(call, decision, ending));
      else await endToolCall(customer, stored, outcomeOf(call, ending));
    },
  };
}

/** What the entry states if the service stops before the call has ended. */
function unknownEnding({ accessRequestId }: GivenCall): Ending {
  return { accessRequestId: accessRequestId ?? null, isError: true, code: 'SERVICE_OUTCOME_UNKNOWN', writeId: null };
}
