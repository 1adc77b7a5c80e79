import { v7 as newId } from 'uuid';
import { asOwner } from '../access/store.ts';
import { type CallLimits, counterOfApplication, counterOfUser, countingSql, UNFLUSHED } from './call-counts.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';
import { POLICY, POLICY_STATE } from './policy-of-user.ts';

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

/** How a call ended. */
export type ToolCallOutcome = Pick<ToolCall, 'accessRequestId' | 'isError' | 'code' | 'writeId' | 'milliseconds'>;

/** An entry to be stored. */
export type NewToolCall = Omit<ToolCall, 'id' | 'at'>;

const INSERT = `insert into unified.tool_calls (id, "applicationId", "endCustomerId", ${COLUMNS})
                select $3::uuid, $4::uuid, $1::uuid, $2::uuid, $5::uuid, $6::text, $7::text, $8::text, $9::json, $10::text,
                       $11::text, $12::uuid, $13::boolean, $14::text, $15::uuid, $16::float8`;

function valuesOf(scope: EndCustomerScope, id: string, call: NewToolCall) {
  return [
    ...[scope.endCustomerId, call.userId, id, scope.applicationId, call.tokenId, call.agent, call.platform],
    ...[call.tool, JSON.stringify(call.arguments), call.decision, call.rule, call.accessRequestId, call.isError],
    ...[call.code, call.writeId, call.milliseconds],
  ];
}

/** Logs a call and returns the id of its entry, which is on disk when this resolves. */
export async function logToolCall(scope: EndCustomerScope, call: NewToolCall): Promise<string> {
  const id = newId();
  const query = { name: 'log_tool_call', text: INSERT, values: valuesOf(scope, id, call) };
  await asOwner(storeOfCustomer(scope), query);
  return id;
}

/** Under which conditions a read is logged. */
export interface ReadCondition extends CallLimits {
  /** The state of the policy that allowed it. */
  readonly policyState: string;
}

/**
 * Counts and logs the call of a read, if the policy of its user is still the one that allowed it and its limits are not exceeded.
 * Otherwise does nothing and returns false, and the result of the read must not be returned to anyone.
 *
 * This is one statement, and it does not wait for the disk, which takes longer than the read: other transactions see the entry, and
 * it is kept when the service stops. It is lost only if PostgreSQL or its machine stops within the next 0.6 seconds.
 */
export async function logConfirmedRead(
  scope: EndCustomerScope,
  call: NewToolCall,
  { policyState, hourly, monthly }: ReadCondition,
): Promise<boolean> {
  const { rowCount } = await asOwner(storeOfCustomer(scope), {
    name: 'log_confirmed_read',
    text: CONFIRMED_READ,
    values: [
      ...valuesOf(scope, newId(), call),
      ...[policyState, counterOfUser(call.userId), hourly, counterOfApplication(scope), monthly],
    ],
  });
  return rowCount === 1;
}

const COUNTED_BY_HOUR = '($19::int is null or exists (select from by_hour))';
const CONFIRMED_READ = `
  with confirmed as (select from (${POLICY}) policy where ${POLICY_STATE} = $17::text and ${UNFLUSHED}),
       by_hour as (${countingSql('hour', { counter: '$18::text', most: '$19::int', where: 'exists (select from confirmed)' })}),
       by_month as (${countingSql('month', {
         ...{ counter: '$20::text', most: '$21::int' },
         where: `exists (select from confirmed) and ${COUNTED_BY_HOUR}`,
       })})
  ${INSERT}
   where exists (select from confirmed) and ${COUNTED_BY_HOUR}
     and ($21::int is null or exists (select from by_month))`;

/** Adds its outcome to the entry of a call. */
export async function endToolCall(scope: EndCustomerScope, id: string, outcome: ToolCallOutcome): Promise<void> {
  const { accessRequestId, isError, code, writeId, milliseconds } = outcome;
  await asOwner(
    storeOfCustomer(scope),
    `update unified.tool_calls set "accessRequestId" = $3, "isError" = $4, code = $5, "writeId" = $6, milliseconds = $7
      where "endCustomerId" = $1 and id = $2`,
    [scope.endCustomerId, id, accessRequestId, isError, code, writeId, milliseconds],
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
