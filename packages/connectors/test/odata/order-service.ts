import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpServer } from '../http-server.ts';
import { ORDERS_V4 } from './descriptions.ts';

/** An order as the service stores it. */
export interface StoredOrder {
  readonly number: string;
  reference: string | null;
  status: string;
  total: string;
  count: string;
  changedAt: string;
  version: number;
  readonly lines: Record<string, unknown>[];
}

/** A request that the service received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How strict the service is. */
export interface OrderServiceOptions {
  /** Rows per page of the server, whatever `$top` is. If absent, the server has no pages. */
  readonly pageSize?: number;
  /** Whether its pages lack the links to the next ones. */
  readonly withoutLinks?: boolean;
  /** Whether changes need a CSRF token and its cookie. */
  readonly needsCsrf?: boolean;
  /** Whether it sends decimals only as numbers, and refuses strings. */
  readonly hasOnlyNumbers?: boolean;
  /** Whether lines have the ETag of their order, which every change of one of them changes. */
  readonly hasSharedETags?: boolean;
  /** Called before each request; returns true if it has sent the response. */
  readonly before?: (request: ReceivedRequest, response: ServerResponse) => boolean;
}

/** A running service. */
export interface OrderService {
  /** Address of the service. */
  readonly url: string;
  readonly orders: Map<string, StoredOrder>;
  readonly received: ReceivedRequest[];
}

const ROOT = '/odata/orders/';
const COOKIE = 'session=s-1';
const TOKEN = 'csrf-1';

/** A new order. */
export function orderOf(number: string, more: Partial<StoredOrder> = {}): StoredOrder {
  const changedAt = '2026-11-20T09:30:00Z';
  return {
    number,
    reference: null,
    status: 'open',
    total: '10.0000',
    count: '1',
    changedAt,
    version: 1,
    lines: [],
    ...more,
  };
}

/** Starts a strict OData V4 service with orders in memory; it ends with the test. */
export async function startOrderService(
  orders: readonly StoredOrder[],
  options: OrderServiceOptions = {},
): Promise<OrderService> {
  const stored = new Map(orders.map((order) => [order.number, order]));
  const received: ReceivedRequest[] = [];
  const url = await httpServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://service');
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      path: decodeURIComponent(pathname),
      query: Object.fromEntries([...searchParams].map(([name, value]) => [name.replace('$', ''), value])),
      headers: incoming.headers,
      body,
    };
    received.push(request);
    if (options.before?.(request, response)) return;
    respond(stored, options, request, response);
  });
  return { url: new URL(ROOT, url).href, orders: stored, received };
}

function respond(
  orders: Map<string, StoredOrder>,
  options: OrderServiceOptions,
  request: ReceivedRequest,
  response: ServerResponse,
) {
  const { method, headers } = request;
  const path = request.path.slice(ROOT.length);
  if (path === '$metadata') return response.writeHead(200, { 'content-type': 'application/xml' }).end(ORDERS_V4);
  if (path === '') return serviceDocument(request, response);
  if (options.hasOnlyNumbers && /"(?:total|count|quantity)":"/.test(request.body)) {
    return fail(response, 400, 'A number must not be a string');
  }
  const isOwn = headers['x-csrf-token'] === TOKEN && headers.cookie === COOKIE;
  if (method !== 'GET' && options.needsCsrf && !isOwn) {
    return response.writeHead(403, { 'x-csrf-token': 'Required' }).end('CSRF token validation failed');
  }
  const [, number, rest] = /^Orders\('((?:[^']|'')*)'\)(.*)$/.exec(path) ?? [];
  if (path === 'Orders' && method === 'GET') return list(orders, options, request, response);
  if (path === 'Orders' && method === 'POST') return create(orders, options, request, response);
  const [, order_number = '', position] = /^Lines\(order_number='(\w+)',position=(\d+)\)$/.exec(path) ?? [];
  if (position !== undefined) {
    return line(orders.get(order_number), Number(position), options, request, response);
  }
  const order = number === undefined ? undefined : orders.get(number.replaceAll("''", "'"));
  if (!order) return fail(response, 404, 'Not found');
  if (method === 'GET') return send(response, contentOf(options, request), wireOf(order, options, request), order);
  return change(orders, order, rest ?? '', request, response);
}

function serviceDocument({ headers }: ReceivedRequest, response: ServerResponse) {
  const isFetch = headers['x-csrf-token'] === 'Fetch';
  if (isFetch) response.setHeader('x-csrf-token', TOKEN).setHeader('set-cookie', [`${COOKIE}; Path=/; HttpOnly`]);
  return send(response, 'application/json', { value: [] });
}

/** Supports only the conditions that the driver sends. */
function list(
  orders: Map<string, StoredOrder>,
  options: OrderServiceOptions,
  request: ReceivedRequest,
  response: ServerResponse,
) {
  const { filter = '', top = '1000', skiptoken = '0' } = request.query;
  const [, after] = /number gt '((?:[^']|'')*)'/.exec(filter) ?? [];
  const [, since] = /changedAt ge (\S+?Z)/.exec(filter) ?? [];
  const [, reference] = /reference eq '((?:[^']|'')*)'/.exec(filter) ?? [];
  const meets = (order: StoredOrder) =>
    (after === undefined || order.number > after.replaceAll("''", "'")) &&
    (since === undefined || Date.parse(order.changedAt) >= Date.parse(since)) &&
    (reference === undefined || order.reference === reference.replaceAll("''", "'"));
  const found = [...orders.values()].filter(meets).sort((one, other) => (one.number < other.number ? -1 : 1));
  const window = found.slice(0, Number(top));
  const begin = Number(skiptoken);
  const end = begin + (options.pageSize ?? window.length);
  const next = new URLSearchParams({ ...prefixed(request.query), $skiptoken: String(end) });
  // The link comes before the rows, as in the responses of some servers.
  const link = end < window.length && !options.withoutLinks ? { '@odata.nextLink': `Orders?${next}` } : {};
  const value = window.slice(begin, end).map((order) => wireOf(order, options, request));
  return send(response, contentOf(options, request), { ...link, value });
}

function prefixed(query: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [`$${name}`, value]));
}

function create(
  orders: Map<string, StoredOrder>,
  options: OrderServiceOptions,
  request: ReceivedRequest,
  response: ServerResponse,
) {
  const given = JSON.parse(request.body) as Partial<StoredOrder>;
  const number = given.number ?? `N-${orders.size + 1}`;
  if (orders.has(number)) return fail(response, 409, `Order ${number} exists`);
  const order = orderOf(number, given);
  orders.set(number, order);
  return send(response, contentOf(options, request), wireOf(order, options, request), order, 201);
}

function change(
  orders: Map<string, StoredOrder>,
  order: StoredOrder,
  rest: string,
  request: ReceivedRequest,
  response: ServerResponse,
) {
  const match = request.headers['if-match'];
  if (match === undefined && rest !== '/lines') return fail(response, 428, 'If-Match is missing');
  if (match !== undefined && match !== '*' && match !== etagOf(order))
    return fail(response, 412, 'The order was changed');
  order.version += 1;
  if (request.method === 'DELETE') {
    orders.delete(order.number);
    return response.writeHead(204).end();
  }
  const values = JSON.parse(request.body || '{}') as Record<string, unknown>;
  if (rest === '/com.example.orders.approve')
    Object.assign(order, { status: 'done', reference: values.note ?? order.reference });
  else if (rest === '') Object.assign(order, values);
  else if (rest === '/lines') order.lines.push({ order_number: order.number, ...values });
  else return fail(response, 404, 'No such operation');
  return response.writeHead(204).end();
}

function line(
  order: StoredOrder | undefined,
  position: number,
  options: OrderServiceOptions,
  request: ReceivedRequest,
  response: ServerResponse,
) {
  const at = order?.lines.findIndex((each) => each.position === position) ?? -1;
  const found = order?.lines[at];
  if (!order || !found) return fail(response, 404, 'Not found');
  const now = lineOf(order, found, options);
  if (request.method === 'GET') return send(response, contentOf(options, request), now);
  const match = request.headers['if-match'];
  if (match !== '*' && match !== now['@odata.etag']) return fail(response, 412, 'The line was changed');
  order.version += 1;
  if (request.method === 'DELETE') order.lines.splice(at, 1);
  else Object.assign(found, JSON.parse(request.body), { version: Number(found.version ?? 1) + 1 });
  return response.writeHead(204).end();
}

function lineOf(order: StoredOrder, { version = 1, ...values }: Record<string, unknown>, options: OrderServiceOptions) {
  return { '@odata.etag': options.hasSharedETags ? etagOf(order) : `W/"line-${version}"`, ...values };
}

/** Decimals and Int64 are strings only for clients that request this. */
function hasStrings({ hasOnlyNumbers = false }: OrderServiceOptions, { headers }: ReceivedRequest): boolean {
  return !hasOnlyNumbers && String(headers.accept).includes('IEEE754Compatible=true');
}

function contentOf(options: OrderServiceOptions, request: ReceivedRequest): string {
  return `application/json;odata.metadata=minimal${hasStrings(options, request) ? ';IEEE754Compatible=true' : ''}`;
}

function wireOf(order: StoredOrder, options: OrderServiceOptions, request: ReceivedRequest) {
  const { version: _, lines, total, count, ...plain } = order;
  const numbers = hasStrings(options, request) ? { total, count } : { total: Number(total), count: Number(count) };
  const isExpanded = request.query.expand?.startsWith('lines');
  const expanded = isExpanded ? { lines: lines.map((each) => lineOf(order, each, options)) } : {};
  return { '@odata.etag': etagOf(order), ...plain, ...numbers, ...expanded };
}

function etagOf({ version }: StoredOrder): string {
  return `W/"${version}"`;
}

function send(response: ServerResponse, content: string, value: object, order?: StoredOrder, status = 200) {
  const headers = { 'content-type': content, ...(order && { etag: etagOf(order) }) };
  return response.writeHead(status, headers).end(JSON.stringify(value));
}

function fail(response: ServerResponse, status: number, message: string) {
  return response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { code: 'X', message } }));
}
