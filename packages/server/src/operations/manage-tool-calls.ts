import { type Request, ServiceError } from '@unified/contract';
import {
  type EndCustomerScope,
  listThirdPartyServers,
  pageOfToolCalls,
  policyOfUser,
  type ToolCall,
  type ToolCallQuery,
  type UserPolicy,
} from '@unified/store';
import { approvedTools } from '../mcp/catalog/third-party-tools.ts';
import { toolNamed } from '../mcp/catalog/tools.ts';
import { decide } from '../mcp/policy/decide.ts';
import type { ManagementContext } from './context.ts';
import { customerOf } from './customer-of.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { checkRules } from './manage-tool-policy.ts';
import { csvText } from './query-formats.ts';
import { timeOf } from './time-of.ts';

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';
const CSV_TYPE = 'text/csv';
const TYPES = [JSON_TYPE, LINES_TYPE, CSV_TYPE];
/** Number of calls that an export reads at a time. */
const READ_AT_ONCE = 500;
const MOST_REPLAYED = 10_000;
const MOST_DIFFERENCES = 100;
const DAY_MS = 86_400_000;
const REPLAYED_DAYS = 30;

/**
 * Newest first, as a page, or all of them as JSON lines or comma-separated values. Throws SERVICE_NOT_FOUND,
 * SERVICE_INVALID_PARAMETER and SERVICE_NOT_ACCEPTABLE.
 */
export async function listToolCalls({ path, query }: Request<'listToolCalls'>, context: ManagementContext) {
  const { per_page = 50, cursor, userId, tool, decision } = query;
  const customer = await customerOf(context, path.endCustomerId);
  const wanted = {
    ...{ userId, tool, decision, before: idOfCursor(cursor) },
    ...{ since: timeOf('since', query.since), until: timeOf('until', query.until) },
  };
  const type = context.accepts(TYPES);
  if (type === undefined) throw notAcceptable();
  if (type === LINES_TYPE) return { status: 200, type, body: jsonLines(customer, wanted), headers: VARY } as const;
  if (type === CSV_TYPE) return { status: 200, type, body: csvLines(customer, wanted), headers: VARY } as const;
  const rows = await pageOfToolCalls(customer, { ...wanted, limit: per_page + 1 });
  return { status: 200, body: idPage(rows, per_page), headers: VARY } as const;
}

const VARY = { Vary: 'Accept' };

function notAcceptable(): ServiceError {
  return new ServiceError('SERVICE_NOT_ACCEPTABLE', `Accept ${TYPES.join(', ')}.`, { details: [{ accepted: TYPES }] });
}

/** One line per call. The next calls are read once the client has received the previous ones. */
async function* jsonLines(customer: EndCustomerScope, wanted: Omit<ToolCallQuery, 'limit'>) {
  for await (const calls of batches(customer, wanted))
    yield Buffer.from(calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
}

const COLUMNS = [
  ...(['id', 'at', 'userId', 'tokenId', 'agent', 'platform', 'tool', 'arguments', 'decision', 'rule'] as const),
  ...(['accessRequestId', 'isError', 'code', 'writeId', 'milliseconds'] as const),
];

/** The names of the columns, then one line per call. */
async function* csvLines(customer: EndCustomerScope, wanted: Omit<ToolCallQuery, 'limit'>) {
  yield Buffer.from(`${COLUMNS.join(',')}\r\n`);
  for await (const calls of batches(customer, wanted)) {
    const lines = calls.map((call) => `${COLUMNS.map((name) => csvValue(call[name])).join(',')}\r\n`);
    yield Buffer.from(lines.join(''));
  }
}

/** Programs for tables calculate what a text such as `=1+1` states, and agents choose their names. */
const FORMULA = /^[=+\-@\t\r]/;

function csvValue(value: ToolCall[keyof ToolCall]): string {
  if (value === null) return '';
  if (typeof value === 'object') return csvText(JSON.stringify(value));
  const text = String(value);
  return csvText(typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text);
}

async function* batches(
  customer: EndCustomerScope,
  wanted: Omit<ToolCallQuery, 'limit'>,
): AsyncGenerator<ToolCall[], void> {
  let { before } = wanted;
  let calls: ToolCall[];
  do {
    calls = await pageOfToolCalls(customer, { ...wanted, before, limit: READ_AT_ONCE });
    before = calls.at(-1)?.id;
    yield calls;
  } while (calls.length === READ_AT_ONCE);
}

/**
 * Decides logged calls again with other rules. The records that calls concerned are not read again, so conditions on `record`
 * are decided by the arguments alone. Throws SERVICE_NOT_FOUND and SERVICE_INVALID_BODY.
 */
export async function replayToolPolicy({ path, body }: Request<'replayToolPolicy'>, context: ManagementContext) {
  const { rules, since = new Date(Date.now() - REPLAYED_DAYS * DAY_MS).toISOString() } = body;
  const customer = await customerOf(context, path.endCustomerId);
  await checkRules(rules, customer, context);
  const servers = await listThirdPartyServers(customer);
  const foreign = new Map(servers.flatMap(approvedTools).map((tool) => [tool.name, tool]));
  const policies = new Map<string, UserPolicy | null>();
  const counts = { calls: 0, changed: 0, isComplete: true };
  const differences: ReturnType<typeof differenceOf>[] = [];
  for await (const batch of batches(customer, { since: timeOf('since', since) })) {
    for (const call of batch) {
      if (!policies.has(call.userId)) policies.set(call.userId, await policyOfUser(customer, call.userId));
      const policy = policies.get(call.userId);
      const tool = toolNamed(call.tool) ?? foreign.get(call.tool);
      if (!policy || !tool) continue;
      const facts = { values: call.arguments, resolved: new Map(), now: Date.parse(call.at) };
      const after = decide({ ...policy, rules }, { ...tool, platform: call.platform }, facts);
      counts.calls += 1;
      if (after.effect === call.decision) continue;
      counts.changed += 1;
      if (differences.length < MOST_DIFFERENCES) differences.push(differenceOf(call, after));
    }
    counts.isComplete = counts.calls < MOST_REPLAYED;
    if (!counts.isComplete) break;
  }
  return { status: 200, body: { data: { ...counts, differences } } } as const;
}

function differenceOf(call: ToolCall, { effect, rule }: ReturnType<typeof decide>) {
  const { id: callId, at, userId, platform, tool, decision: before } = call;
  return { callId, at, userId, platform, tool, before, after: effect, rule };
}
