import { v7 as newId } from 'uuid';
import { asOwner } from '../access/store.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';

export type ToolDecision = 'allow' | 'ask' | 'deny';

/** A call of a tool. */
export interface ToolCall {
  readonly id: string;
  readonly at: string;
  readonly userId: string;
  readonly tokenId: string;
  /** Name of the program that made it, as reported by the program. */
  readonly agent: string | null;
  readonly platform: string;
  readonly tool: string;
  /** Without the values of masked fields. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly decision: ToolDecision;
  /** The rule that decided. */
  readonly rule: string;
  readonly accessRequestId: string | null;
  readonly isError: boolean;
  readonly code: string | null;
  readonly writeId: string | null;
  readonly milliseconds: number;
}

/** Which calls a page contains. */
export interface ToolCallQuery {
  readonly userId?: string | undefined;
  readonly tool?: string | undefined;
  readonly decision?: ToolDecision | undefined;
  /** Only calls after this time, RFC 3339. */
  readonly since?: string | undefined;
  /** Only calls before this time, RFC 3339. */
  readonly until?: string | undefined;
  /** Only calls older than the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const NAMES = [
  ...['userId', 'tokenId', 'agent', 'platform', 'tool', 'arguments', 'decision', 'rule', 'accessRequestId', 'isError'],
  ...['code', 'writeId', 'milliseconds'],
];
const COLUMNS = NAMES.map((name) => `"${name}"`).join(', ');

/** Logs a call. */
export async function logToolCall(scope: EndCustomerScope, call: Omit<ToolCall, 'id' | 'at'>): Promise<void> {
  await asOwner(
    storeOfCustomer(scope),
    `insert into unified.tool_calls (id, "applicationId", "endCustomerId", ${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      ...[newId(), scope.applicationId, scope.endCustomerId, call.userId, call.tokenId, call.agent, call.platform],
      ...[call.tool, JSON.stringify(call.arguments), call.decision, call.rule, call.accessRequestId, call.isError],
      ...[call.code, call.writeId, call.milliseconds],
    ],
  );
}

/** Calls of the users of an end customer, newest first. */
export async function pageOfToolCalls(scope: EndCustomerScope, query: ToolCallQuery): Promise<ToolCall[]> {
  const { userId, tool, decision, since, until, before, limit } = query;
  const { rows } = await asOwner<ToolCall>(
    storeOfCustomer(scope),
    `select id, at, ${COLUMNS} from unified.tool_calls
      where "endCustomerId" = $1 and ($2::uuid is null or "userId" = $2) and ($3::text is null or tool = $3)
        and ($4::text is null or decision = $4) and ($5::timestamptz is null or at > $5)
        and ($6::timestamptz is null or at < $6) and ($7::uuid is null or id < $7)
      order by id desc limit $8`,
    [scope.endCustomerId, ...[userId, tool, decision, since, until, before].map((each) => each ?? null), limit],
  );
  return rows;
}
