import {
  clientDocument,
  earlierDocument,
  earlierOperations,
  type OpenApiDocument,
  type Operation,
  operations,
} from '@unified/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Described {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
  /** Codes of the errors that have this response, by status. */
  readonly 'x-codes'?: Readonly<Record<string, readonly string[]>>;
}

const CURRENT = 'current';
const EARLIER = 'earlier';
const ERROR_SCHEMA = `${CURRENT}#/components/schemas/Error`;
export const JSON_TYPE = 'application/json; charset=utf-8';
const ALWAYS_SENT = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const SENT_BY_SOME = [
  ...['Deprecation', 'Sunset', 'Idempotency-Replayed', 'Link', 'Location', 'Preference-Applied', 'Retry-After'],
  ...['Write-Id', 'Write-Warnings', 'X-Request-Id', 'WWW-Authenticate', 'Allow', 'Data-Position'],
];
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const documents: Readonly<Record<string, OpenApiDocument>> = {
  [CURRENT]: clientDocument(),
  [EARLIER]: earlierDocument(clientDocument()),
};
const ajv = new Ajv2020({ strict: false, validateFormats: true, allErrors: true });
addFormats.default(ajv);
for (const [name, document] of Object.entries(documents)) ajv.addSchema({ ...document, $id: name });
const compiled = new Map<string, ValidateFunction>();
/** If both a fixed segment and a parameter match an address, the fixed segment takes precedence, so it comes first. */
const addresses = [...operations, ...earlierOperations(operations)]
  .toSorted((a, b) => parametersIn(a) - parametersIn(b))
  .flatMap((operation) => operation.bases.map((base) => ({ operation, pattern: patternOf(base + operation.path) })));

/** Tests send many requests to few addresses. */
const operationsAt = new Map<string, Operation | undefined>();

/** The operation that a method and an address belong to; undefined for addresses that the document does not have. */
export function operationAt(method: string, path: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  const key = `${wanted} ${path}`;
  if (operationsAt.has(key)) return operationsAt.get(key);
  const operation = addresses.find((each) => each.operation.method === wanted && each.pattern.test(path))?.operation;
  operationsAt.set(key, operation);
  return operation;
}

/** What the request determines about the body of its response. */
export interface Expected {
  /** If true, there is no body. */
  readonly isHead?: boolean;
}

/**
 * Compares a response with the document: its status is listed, the code of an error is one that the document names for the
 * operation and this status, its body matches the schema, and its media type and required headers are present. Throws an error
 * that lists the differences.
 */
export function checkAgainstDocument(
  operation: Operation | undefined,
  response: Response,
  text: string,
  expected: Expected = {},
): void {
  const described = operation && responseOf(operation, response.status);
  const problems = [
    ...(operation && !described ? [`status ${response.status} is not described`] : []),
    ...(operation && operation.surface !== 'oauth' ? missingHeaders(response) : []),
    ...(operation ? undescribedHeaders(operation, response, described) : []),
    ...(operation && described ? writeIdProblems(operation, response, described, text) : []),
    ...bodyProblems(described, response, text, expected),
    ...(operation && described ? codeProblems(operation, described.response, response, text) : []),
  ];
  if (problems.length === 0) return;
  const name = operation?.id ?? new URL(response.url).pathname;
  throw new Error(
    `${name} returned ${response.status}, which differs from its description: ${problems.join('; ')}\n${text.slice(0, 1000)}`,
  );
}

/**
 * Compares the body of a webhook event with the document. Throws an error that lists the differences.
 */
export function checkEvent(text: string): void {
  const { type } = JSON.parse(text) as { readonly type: string };
  const pointer = `${CURRENT}#/webhooks/${escaped(type)}/post/requestBody/content/${escaped('application/json')}/schema`;
  const problems = schemaProblems(pointer, text);
  if (problems.length > 0) throw new Error(`The event differs from its description: ${problems.join('; ')}\n${text}`);
}

function patternOf(template: string): RegExp {
  const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`);
}

function parametersIn({ path }: Operation): number {
  return path.split('{').length;
}

/** A status that no operation lists. */
const OTHER_ERROR = 599;

/** The description of a response in the document of its version, and its location. */
function responseOf(
  { path, method, version }: Operation,
  status: number,
): { response: Described; pointer: string } | undefined {
  const name = version === undefined ? CURRENT : EARLIER;
  const document = documents[name];
  const node = document?.paths[path]?.[method] as { responses?: Readonly<Record<string, Described>> } | undefined;
  const key = [String(status), 'default'].find((each) => node?.responses?.[each]);
  // `default` describes only errors.
  const found = key === undefined || (key === 'default' && status < 400) ? undefined : node?.responses?.[key];
  if (!found || key === undefined) return undefined;
  if (found.$ref === undefined)
    return { response: found, pointer: `${name}#/paths/${escaped(path)}/${method}/responses/${key}` };
  const component = found.$ref.split('/').at(-1) ?? '';
  return {
    response: document?.components.responses?.[component] as Described,
    pointer: name + found.$ref,
  };
}

function missingHeaders(response: Response): string[] {
  const missing = ALWAYS_SENT.filter((name) => !/^\d+$/.test(response.headers.get(name) ?? ''));
  const reset = Number(response.headers.get('X-RateLimit-Reset'));
  const outside = reset < 1 || reset > 60 ? [`X-RateLimit-Reset is ${reset}`] : [];
  return [...missing.map((name) => `header ${name} is missing`), ...outside];
}

/** Some headers must be present if the document requires them, and may be present only if it describes them. */
function undescribedHeaders(
  { deprecation }: Operation,
  response: Response,
  described: { response: Described } | undefined,
): string[] {
  const stated = { Deprecation: deprecation?.since, Sunset: deprecation?.sunset };
  const wrong = Object.entries(stated)
    .map(([name, value]) => ({ name, value, found: response.headers.get(name) ?? undefined }))
    .filter(({ value, found }) => found !== value)
    .map(({ name, found }) => `header ${name} is ${found}`);
  const sent = SENT_BY_SOME.filter((name) => response.headers.has(name));
  const unknown = sent.filter((name) => described && !described.response.headers?.[name]);
  return [...wrong, ...unknown.map((name) => `header ${name} is not described`)];
}

/** The response to a queued write names the write, as does an error that has an address to follow it. */
function writeIdProblems(
  { method }: Operation,
  { status, headers }: Response,
  { response }: { response: Described },
  text: string,
): string[] {
  const isWrite = method !== 'get' && response.headers?.['Write-Id'] !== undefined;
  const isWanted = isWrite && (status < 400 ? !isPlan(text) : headers.has('Location'));
  const id = headers.get('Write-Id');
  if (!isWanted) return id === null ? [] : [`header Write-Id is ${id}`];
  return UUID.test(id ?? '') ? [] : [id === null ? 'header Write-Id is missing' : `header Write-Id is ${id}`];
}

function isPlan(text: string): boolean {
  return text !== '' && JSON.parse(text).status === 'planned';
}

function bodyProblems(
  described: { response: Described; pointer: string } | undefined,
  response: Response,
  text: string,
  { isHead = false }: Expected,
): string[] {
  const isError = response.status >= 400;
  if (!isError && !described) return [];
  if (described && !described.response.content) return text === '' ? [] : ['there is a body, but none is described'];
  const type = response.headers.get('Content-Type');
  if (type !== JSON_TYPE) return takesType(described, type) ? [] : [`the media type is ${type}`];
  if (isHead) return text === '' ? [] : ['the response to HEAD has a body'];
  const schema = described ? `${described.pointer}/content/${escaped('application/json')}/schema` : ERROR_SCHEMA;
  return schemaProblems(schema, text);
}

/** The code of an error is named, for this status, by the response of the operation, or by its description of other errors. */
function codeProblems(operation: Operation, described: Described, { status }: Response, text: string): string[] {
  if (status < 400 || text === '') return [];
  const { code } = JSON.parse(text) as { readonly code?: string };
  const codes = described['x-codes'] ?? responseOf(operation, OTHER_ERROR)?.response['x-codes'];
  const named = codes?.[status] ?? [];
  return code === undefined || named.includes(code) ? [] : [`the code ${code} is not named for status ${status}`];
}

/** Whether the response may have this media type, or contain the bytes of a file with the media type of that file. */
function takesType(described: { response: Described } | undefined, type: string | null): boolean {
  const [name = ''] = (type ?? '').split(';');
  return [name, '*/*'].some((each) => described?.response.content?.[each] !== undefined);
}

function schemaProblems(pointer: string, text: string): string[] {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: pointer });
  compiled.set(pointer, validate);
  if (validate(JSON.parse(text))) return [];
  const errors = validate.errors ?? [];
  return errors.slice(0, 5).map((error) => `${error.instancePath} ${error.message}`);
}

function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
