import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { firstField, type Operation, ServiceError } from '@unified/contract';
import { LRUCache } from 'lru-cache';
import { type QueryString, readQueryString, withPlainConditions } from '../../query/query-string.ts';
import { LargeBodies } from './large-bodies.ts';
import { readBody } from './read-body.ts';
import { type Receiving, receiveFile } from './receive-file.ts';
import { type DescribedParameters, describedParameters, type ServedContract } from './served-contract.ts';
import type { CheckedRequest, Validator } from './validator.ts';

/** A request that a server has received. Node declares method and address optional, because responses to clients have none. */
export type AddressedRequest = IncomingMessage & { readonly method: string; readonly url: string };

/** A request whose operation was found. */
export interface UnreadRequest {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  /** The text after the `?`. */
  readonly queryText: string;
  readonly request: AddressedRequest;
  /** Id of the application that sends it; absent for operations that need no credentials. */
  readonly sender?: string | undefined;
}

/** A request whose parts are known without an HTTP connection to its sender, such as the call of a tool. */
export interface KnownParts extends Omit<UnreadRequest, 'request' | 'sender'> {
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Undefined if there is no body. */
  readonly body: unknown;
}

/** Checks a request with known parts against the document, like `createReadRequest`. */
export function createCheckParts(validator: Validator, { operations, shards }: ServedContract) {
  const described = describedById(operations, shards);
  return async ({ operation, params, queryText, headers, body }: KnownParts): Promise<ReadRequest> => {
    const parameters = described(operation);
    const sent = querySent(queryText, parameters);
    const check = checkBody(validator, parameters, { operation, params, sent, headers });
    return { checked: await check(parameters.takesBody ? body : undefined), sent };
  };
}

/** Stores the file of a request. */
export type StoreFile = Receiving['store'];

/** A request that the document allows. */
export interface ReadRequest {
  readonly checked: CheckedRequest;
  /** The query as it was sent, before defaults. */
  readonly sent: QueryString;
  /** Call it when the body is no longer in use. Absent if the body has the usual size. */
  readonly release?: () => void;
}

const MOST_REMEMBERED = 5_000;
const LONGEST_REMEMBERED = 300;

/**
 * Reads requests and checks them against the document; rejects with a `SERVICE_…` error for an invalid request.
 *
 * The result for a request that consists only of its address is cached and returned again, so it must not be modified.
 */
export function createReadRequest(validator: Validator, { operations, shards }: ServedContract) {
  const described = describedById(operations, shards);
  const largeBodies = new LargeBodies();
  const remembered = new LRUCache<string, ReadRequest>({ max: MOST_REMEMBERED });

  async function read(
    unread: UnreadRequest,
    parameters: DescribedParameters,
    store: StoreFile | undefined,
  ): Promise<ReadRequest> {
    const { operation, params, queryText, request } = unread;
    const sent = querySent(queryText, parameters);
    const check = checkBody(validator, parameters, { operation, params, sent, headers: request.headers });
    if (parameters.takesFile && store) return { checked: await receiveFile({ request, check, store }), sent };
    if (!parameters.takesBody) return { checked: await check(undefined), sent };
    if (parameters.maxBytes === undefined) return { checked: await check(await readBody(request, parameters)), sent };
    const release = largeBodies.enter(unread.sender ?? '');
    try {
      return { checked: await check(await readBody(request, parameters)), sent, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  return async (unread: UnreadRequest, store?: StoreFile): Promise<ReadRequest> => {
    const { operation, request } = unread;
    const parameters = described(operation);
    const isAddressAlone = operation.method === 'get' && parameters.headers.length === 0 && !parameters.takesBody;
    if (!isAddressAlone || request.url.length > LONGEST_REMEMBERED) return read(unread, parameters, store);
    const known = remembered.get(request.url);
    if (known) return known;
    const result = await read(unread, parameters, store);
    remembered.set(request.url, result);
    return result;
  };
}

/** Returns the parameters of an operation. Those of served operations are looked up only once. */
function describedById(operations: readonly Operation[], shards: ServedContract['shards']) {
  const known = new Map(operations.map((operation) => [operation.id, describedParameters(shards, operation)]));
  return (operation: Operation) => known.get(operation.id) ?? describedParameters(shards, operation);
}

/** The check of a request once its body has been read. */
function checkBody(
  validator: Validator,
  parameters: DescribedParameters,
  request: Pick<UnreadRequest, 'operation' | 'params'> & Pick<KnownParts, 'headers'> & { readonly sent: QueryString },
) {
  const { operation, params: path, sent, headers } = request;
  const query = { ...sent.parameters, ...(sent.filter.size > 0 && { filter: Object.fromEntries(sent.filter) }) };
  return async (body: unknown) => {
    if (body === undefined && parameters.needsBody) throw bodyRequired(operation);
    return validator.validate(operation, parameters, { path, query, headers, body });
  };
}

/**
 * The query of a request. Common client generators send a condition as a plain parameter, `name:contains=a` instead of
 * `filter[name:contains]=a`. It is treated as a condition if the operation has no parameter with that name.
 */
function querySent(text: string, { query, filtered }: DescribedParameters): QueryString {
  const sent = readQueryString(text);
  if (!filtered) return sent;
  return withPlainConditions(sent, (name) => !query.has(name) && filtered.field[firstField(name)] !== undefined);
}

function bodyRequired({ id }: Operation): ServiceError {
  return new ServiceError('SERVICE_BODY_REQUIRED', `${id} needs a body. Send it as JSON.`);
}
