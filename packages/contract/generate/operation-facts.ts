import { resolve } from '../src/component-references.ts';
import type { Body, Document, Parameter } from './openapi.ts';
import type { Found } from './operations.ts';

/**
 * What can be derived about an operation from the document. For each code, the table of error codes names the facts of the
 * operations that can return it. `request` is a fact of all operations: the request is refused regardless of the operation.
 */
export const FACTS: readonly string[] = [
  ...['request', 'sunset', 'served', 'counted', 'credential', 'path', 'uuid', 'key'],
  ...['sort', 'filter', 'expand', 'fields', 'cursor', 'body', 'requiredBody', 'recordBody'],
  ...['write', 'writeBody', 'batch', 'outcome', 'outcomeBody', 'saving', 'target', 'action', 'delete'],
  ...['writeRecord', 'compensation', 'file', 'model', 'grant', 'named', 'checked', 'pairs', 'log'],
  ...['query', 'passthrough', 'mapping', 'revisions', 'tool', 'decision', 'signIn', 'lastAdmin', 'invitation'],
];

/** Operations of the Management API that assign a name or address to a resource, which must not be in use. */
const NAMED = [
  'registerClient',
  'updateClient',
  'addRedirectUri',
  'replaceRedirectUri',
  'createConnection',
  'compatCreateConnection',
  'updateConnection',
  'restoreConnection',
  'startDataMapping',
  'createEndCustomer',
  'updateEndCustomer',
  'createMcpRole',
  'updateMcpRole',
  'createMcpUser',
  'updateMcpUser',
  'registerThirdPartyServer',
  'updateThirdPartyServer',
  'setCompanyCredential',
];
/** Operations that check whether pairs violate the cardinality of their data mapping. */
const PAIRS = ['setDataMappingCardinality', 'replaceDataMappingEntries'];
/** Operations that call the connected system to check settings. */
const CHECKED = ['createConnection', 'compatCreateConnection', 'updateConnection', 'setCompanyCredential'];
/** Operations on mappings that read rows or tables of the connected system. */
const DISCOVERING = ['testFetchFieldMapping', 'draftFieldMapping', 'listSourceTables'];
/** Operations that make a decision about the call of a tool, or carry it out after a decision. */
const DECISIONS = ['decideAccessRequest', 'executeMcpTool'];
/** Operations that are refused if no operator would remain an admin. */
const LAST_ADMIN = ['updateOperator', 'deleteOperator'];
const RECORD_BODIES = ['create', 'createMany', 'update', 'replace'];

/** The facts of an operation. */
export function factsOf(document: Document, { operation, node, item }: Found): ReadonlySet<string> {
  const parameters = [...(item.parameters ?? []), ...(node.parameters ?? [])].map((each) =>
    resolve<Parameter>(document, each),
  );
  const facts = {
    counted: isCounted(operation),
    sunset: operation.deprecation?.sunset !== undefined,
    ...(!hasOAuthErrors(node) && {
      ...ofRequest(document, node, parameters),
      ...ofService(document, { operation, node, item }, parameters),
    }),
  };
  return new Set(Object.entries(facts).flatMap(([fact, holds]) => (holds ? [fact] : [])));
}

/** Whether requests count toward a limit: requests to these surfaces, and those with client credentials. */
function isCounted({ method, surface }: Found['operation']): boolean {
  return surface !== 'oauth' || method === 'post';
}

/** Whether the errors of an operation have the format of RFC 6749, which has no codes. */
function hasOAuthErrors({ responses = {} }: Found['node']): boolean {
  return Object.values(responses).some((each) => '$ref' in each && each.$ref.endsWith('/OAuthFailure'));
}

/** Facts that are independent of what the operation does. */
function ofRequest(document: Document, node: Found['node'], parameters: readonly Parameter[]): Record<string, boolean> {
  const takes = (name: string) => parameters.some((each) => each.name === name);
  const inPath = parameters.filter((each) => each.in === 'path');
  const body = node.requestBody && resolve<Body>(document, node.requestBody);
  return {
    served: true,
    path: inPath.length > 0,
    uuid: inPath.some(({ schema = {} }) => resolve(document, schema).format === 'uuid'),
    key: takes('Idempotency-Key'),
    ...Object.fromEntries(['sort', 'filter', 'expand', 'fields', 'cursor'].map((name) => [name, takes(name)])),
    body: body !== undefined,
    requiredBody: body?.required === true,
  };
}

/** Facts about what the operation does. Every write to the connected system accepts `Prefer`. */
function ofService(
  document: Document,
  { operation, node }: Found,
  parameters: readonly Parameter[],
): Record<string, boolean> {
  const { id, kind, path, method, tag, security, surface } = operation;
  const isWrite = parameters.some(({ name }) => name === 'Prefer') || kind === 'createMany';
  const isOutcome = isWrite && kind !== 'createMany';
  const hasBody = node.requestBody !== undefined;
  return {
    credential: security.length > 0,
    recordBody: RECORD_BODIES.includes(kind),
    write: isWrite,
    writeBody: isWrite && hasBody,
    batch: kind === 'createMany',
    outcome: isOutcome,
    outcomeBody: isOutcome && hasBody,
    saving: isOutcome && kind !== 'delete',
    target: isOutcome && kind !== 'create',
    action: kind === 'action' || (isOutcome && kind === 'other' && path.includes('{id}')),
    delete: kind === 'delete',
    writeRecord: path.startsWith('/writes/') && method === 'post',
    compensation: id === 'compensateWrite',
    file: returnsFile(document, node),
    model: tag === 'Capabilities' || id === 'startSync',
    grant: id === 'linkToken',
    named: NAMED.includes(id),
    checked: [...CHECKED, ...DISCOVERING].includes(id),
    pairs: PAIRS.includes(id),
    log: id === 'listChanges',
    query: id === 'runQuery',
    passthrough: id === 'sendPassthrough',
    mapping: tag === 'Field Mappings',
    revisions: id === 'saveFieldMapping',
    tool: id === 'executeMcpTool',
    decision: DECISIONS.includes(id),
    signIn: surface === 'console' && security.length === 0 && method === 'post',
    invitation: id === 'inviteOperator',
    lastAdmin: LAST_ADMIN.includes(id),
  };
}

function returnsFile(document: Document, { responses = {} }: Found['node']): boolean {
  return Object.values(responses).some((each) => resolve<Body>(document, each).content?.['*/*'] !== undefined);
}
