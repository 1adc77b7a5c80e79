import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Behavior } from './start.ts';

interface FrontOptions {
  readonly service: string;
  /** Address of the server behind the front. */
  readonly inner: string;
  readonly behavior: Behavior;
  readonly received: string[];
  readonly user: string;
  readonly password: string;
}

type Entity = Record<string, unknown>;

const COOKIE = 'SAP_SESSIONID=s-1';
const TOKEN = 'token-1';
const JSON_TYPE = { 'content-type': 'application/json' };
const DECIMALS = ['MinimumOrderAmount', 'MaterialPlannedDeliveryDurn'];

/**
 * Adds what the server behind it lacks: basic authentication, CSRF tokens with cookies, server-side paging with the link before
 * the rows, ETags with 428 and 412, deep inserts with numbers that the system assigns, and throttling.
 */
export function strictFront(options: FrontOptions): RequestListener {
  const authorization = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`;
  return async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = (request.url ?? '').slice(options.service.length + 1);
    options.received.push(`${request.method} ${decodeURIComponent(path.split('?')[0] ?? '')}`);
    if (request.headers.authorization !== authorization)
      return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    if (options.behavior.throttled > 0) {
      options.behavior.throttled -= 1;
      return void response.writeHead(429, { 'retry-after': '7' }).end();
    }
    if (request.method !== 'GET' && !hasToken(request)) {
      return void response.writeHead(403, { 'x-csrf-token': 'Required' }).end('CSRF token validation failed');
    }
    if (request.headers['x-csrf-token'] === 'Fetch') {
      response
        .setHeader('x-csrf-token', TOKEN)
        .setHeader('set-cookie', [`${COOKIE}; path=/; HttpOnly`, 'sap-usercontext=1; path=/']);
    }
    await handled(options, { method: request.method ?? '', path, body, match: request.headers['if-match'] }, response);
  };
}

function hasToken({ headers }: IncomingMessage): boolean {
  return headers['x-csrf-token'] === TOKEN && headers.cookie === `${COOKIE}; sap-usercontext=1`;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly match: string | undefined;
}

async function handled(options: FrontOptions, call: Call, response: ServerResponse): Promise<void> {
  const isEntity = /^\w+\(.*\)$/.test(decodeURIComponent(call.path.split('?')[0] ?? ''));
  if (call.method === 'POST') return create(options, call, response);
  if (call.method !== 'GET') return change(options, call, response);
  if (call.path === '' || call.path.startsWith('$')) return pass(options, call.path, response);
  return isEntity ? read(options, call.path, response) : list(options, call.path, response);
}

async function pass({ inner, service }: FrontOptions, path: string, response: ServerResponse): Promise<void> {
  const found = await fetch(`${inner}${service}/${path}`);
  response.writeHead(found.status, { 'content-type': found.headers.get('content-type') ?? '' }).end(await found.text());
}

/** What the server behind it returns in `d`; null if that server has no such entity. */
async function inside({ inner, service }: FrontOptions, path: string): Promise<Entity | null> {
  const found = await fetch(`${inner}${service}/${path}`, { headers: { accept: 'application/json' } });
  return found.ok ? ((await found.json()) as { d: Entity }).d : null;
}

async function read(options: FrontOptions, path: string, response: ServerResponse): Promise<void> {
  const entity = await inside(options, path);
  if (!entity) return fail(response, 404, 'Resource not found');
  response.writeHead(200, JSON_TYPE).end(JSON.stringify({ d: await dressed(options, entity) }));
}

async function list(options: FrontOptions, path: string, response: ServerResponse): Promise<void> {
  const url = new URL(path, 'http://service/');
  const begin = Number(url.searchParams.get('$skiptoken') ?? 0);
  url.searchParams.delete('$skiptoken');
  const all = ((await inside(options, `${url.pathname.slice(1)}${url.search}`)) as { results?: Entity[] } | null)
    ?.results;
  if (!all) return fail(response, 400, 'Invalid query');
  const end = begin + options.behavior.pageSize;
  url.searchParams.set('$skiptoken', String(end));
  const next = `${options.service}/${url.pathname.slice(1)}${url.search}`;
  const results = await Promise.all(all.slice(begin, end).map((entity) => dressed(options, entity)));
  response.writeHead(200, JSON_TYPE).end(JSON.stringify({ d: { ...(end < all.length && { __next: next }), results } }));
}

/** An entity as this front returns it, with an ETag that depends on its values. */
async function dressed(options: FrontOptions, entity: Entity): Promise<Entity> {
  const uri = uriOf(entity);
  const { '@odata.etag': _, ...own } = entity;
  for (const name of DECIMALS) {
    if (options.behavior.decimalsAreNumbers && name in own) own[name] = Number(own[name]);
  }
  return { ...own, __metadata: { uri, etag: await etagAt(options, uri) } };
}

function uriOf(entity: Entity): string {
  return String((entity.__metadata as Entity | undefined)?.uri ?? '');
}

async function etagAt(options: FrontOptions, uri: string): Promise<string | undefined> {
  const entity = await inside(options, uri.slice(uri.lastIndexOf('/') + 1));
  if (!entity) return undefined;
  const { '@odata.etag': _, ...stable } = entity;
  // The server behind it fills dates without a value with the current time.
  const values = JSON.stringify(stable, (_name, value) => (/^(\/Date\(|PT)/.test(String(value)) ? null : value));
  return `W/"${createHash('sha256').update(values).digest('hex').slice(0, 12)}"`;
}

async function change(
  options: FrontOptions,
  { method, path, body, match }: Call,
  response: ServerResponse,
): Promise<void> {
  const entity = await inside(options, path);
  if (!entity) return fail(response, 404, 'Resource not found');
  if (match === undefined) return fail(response, 428, 'If-Match is required');
  if (options.behavior.isContested) await send(options, 'PATCH', path, { SearchTerm2: String(Math.random()) });
  if (match !== '*' && match !== (await etagAt(options, uriOf(entity))))
    return fail(response, 412, 'Precondition failed');
  const values = body === '' ? undefined : (JSON.parse(body) as Entity);
  if (String(values?.OrganizationBPName1 ?? '').length > 40) return fail(response, 400, 'Name 1 is too long');
  const done = await send(options, method === 'MERGE' ? 'PATCH' : method, path, values);
  response.writeHead(done.ok ? 204 : done.status).end();
}

/** Assigns numbers, as the system does, and stores related entities. */
async function create(options: FrontOptions, { path, body }: Call, response: ServerResponse): Promise<void> {
  const {
    to_BusinessPartnerRole: roles,
    to_Supplier: supplier,
    to_Customer: customer,
    ...own
  } = JSON.parse(body) as Entity;
  const all = ((await inside(options, path)) as { results: Entity[] }).results;
  const number = String(Math.max(...all.map(({ BusinessPartner }) => Number(BusinessPartner))) + 1);
  const has = (role: string) =>
    Array.isArray(roles) && roles.some(({ BusinessPartnerRole }) => BusinessPartnerRole === role);
  const numbers = { Supplier: has('FLVN01') ? number : '', Customer: has('FLCU01') ? number : '' };
  const given = {
    BusinessPartnerFullName: own.OrganizationBPName1,
    CreationDate: '/Date(1795392000000)/',
    LastChangeDate: null,
  };
  const entity = { ...own, ...given, BusinessPartner: number, ...numbers };
  await send(options, 'POST', path, entity);
  if (numbers.Supplier) await send(options, 'POST', 'A_Supplier', { ...(supplier as Entity), Supplier: number });
  if (numbers.Customer) await send(options, 'POST', 'A_Customer', { ...(customer as Entity), Customer: number });
  if (options.behavior.lost > 0) {
    options.behavior.lost -= 1;
    response.destroy();
    return;
  }
  const stored = await inside(options, `A_BusinessPartner('${number}')`);
  response.writeHead(201, JSON_TYPE).end(JSON.stringify({ d: stored }));
}

function send({ inner, service }: FrontOptions, method: string, path: string, body?: Entity): Promise<Response> {
  return fetch(`${inner}${service}/${path}`, {
    method,
    headers: { ...JSON_TYPE, accept: 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

function fail(response: ServerResponse, status: number, value: string): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify({ error: { code: 'X/1', message: { lang: 'en', value } } }));
}
