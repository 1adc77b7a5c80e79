import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Row } from '../src/driver.ts';
import type { StreamOptions } from '../src/rest/options.ts';
import { type RestPlatform, type RestSystem, reply, restSystem } from './rest-system.ts';

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** How a server deviates from normal behavior. */
export interface TicketsOptions {
  /** Responds instead of the server, and then returns true. */
  readonly before?: (request: Received, response: ServerResponse) => boolean;
  /** The accepted values that are stored. Defaults to all. */
  readonly stores?: (values: Row) => Row;
  /** What the response to a create contains. Defaults to the new ticket. */
  readonly created?: (ticket: Row, response: ServerResponse) => void;
  readonly writes?: StreamOptions['writes'];
  /** Defaults to numbered pages of any size. */
  readonly paging?: StreamOptions['list']['paging'];
  readonly options?: RestPlatform['options'];
}

/** A server that stores tickets, and a driver for it. */
export interface Tickets extends RestSystem {
  readonly tickets: Map<number, Row>;
  /** All requests, in order. */
  readonly received: readonly Received[];
  /** Requests that change something. */
  sent(): Received[];
}

export const WRITES: NonNullable<StreamOptions['writes']> = {
  create: { address: '/tickets', envelope: 'ticket', key: 'ticket.id' },
  update: { address: '/tickets/{id}', envelope: 'ticket' },
  delete: { address: '/tickets/{id}' },
  stored: { title: 'title', state_id: 'state.id', size: 'size' },
  created: { parameters: { sort: 'id:desc' } },
  choices: { state_id: { from: 'next', parameters: { include: 'next' } } },
  actions: {
    change: {},
    close: { values: { state_id: 'Closed' } },
    ping: { call: { method: 'POST', address: '/tickets/{id}/ping' } },
  },
};

const STATES = [
  { id: 1, name: 'New' },
  { id: 2, name: 'Open' },
  { id: 3, name: 'Closed' },
];

/** Starts a server with these tickets. */
export async function ticketSystem(stored: readonly Row[] = [], given: TicketsOptions = {}): Promise<Tickets> {
  const tickets = new Map(stored.map((ticket) => [Number(ticket.id), ticket]));
  const received: Received[] = [];
  const streams = {
    tickets: {
      list: {
        address: '/tickets',
        rows: 'tickets',
        paging: given.paging ?? { pages: { parameter: 'page', size: { parameter: 'size' } } },
      },
      detail: { address: '/tickets/{id}', row: 'ticket' },
      writes: { ...WRITES, ...given.writes },
    },
  };
  const system = await restSystem(
    async (request, response) => {
      const asked = await receivedFrom(request);
      received.push(asked);
      if (given.before?.(asked, response)) return;
      if (asked.path === '/me') reply(response, {});
      else respond(tickets, asked, response, given);
    },
    { streams, options: { failures: { default: { messages: ['errors'] } }, ...given.options } },
  );
  return { ...system, tickets, received, sent: () => received.filter(({ method }) => method !== 'GET') };
}

async function receivedFrom(request: IncomingMessage): Promise<Received> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return { method: request.method ?? '', path: request.url ?? '', body, headers: request.headers };
}

function respond(tickets: Map<number, Row>, request: Received, response: ServerResponse, given: TicketsOptions): void {
  const { pathname, searchParams } = new URL(request.path, 'http://system.example');
  const id = Number(pathname.split('/')[2]);
  const ticket = tickets.get(id);
  const headers = { etag: `"${ticket?.version ?? 0}"` };
  const match = request.headers['if-match'];
  if (pathname === '/tickets' && request.method === 'GET') list(tickets, searchParams, response);
  else if (pathname === '/tickets') create(tickets, request, response, given);
  else if (!ticket) response.writeHead(404).end();
  else if (request.method === 'GET') {
    const next = searchParams.get('include') === 'next' ? { next: STATES.filter(({ id }) => id > 1) } : {};
    reply(response, { ticket: { ...ticket, ...next } }, headers);
  } else if (match !== undefined && match !== headers.etag) response.writeHead(412).end();
  else {
    const version = Number(ticket.version ?? 0) + 1;
    if (request.method === 'DELETE') tickets.delete(id);
    else tickets.set(id, { ...ticket, ...kept(valuesOf(request), given), version });
    response.writeHead(204).end();
  }
}

/** Pages of the requested size, or of one ticket. */
function list(tickets: Map<number, Row>, query: URLSearchParams, response: ServerResponse): void {
  const [size, page] = [Number(query.get('size') ?? 1), Number(query.get('page'))];
  const all = [...tickets.values()];
  const ordered = query.get('sort') === 'id:desc' ? all.toReversed() : all;
  const marked = ordered.filter(({ ref }) => query.get('ref') === null || ref === query.get('ref'));
  reply(response, { tickets: marked.slice((page - 1) * size, page * size) });
}

function create(tickets: Map<number, Row>, request: Received, response: ServerResponse, given: TicketsOptions): void {
  const id = Math.max(0, ...tickets.keys()) + 1;
  const ticket = { id, at: new Date().toISOString(), ...kept(valuesOf(request), given) };
  tickets.set(id, ticket);
  if (given.created) given.created(ticket, response);
  else reply(response, { ticket });
}

/** Values of a JSON body or a form. */
function valuesOf({ body, headers }: Received): Row {
  if (body === '') return {};
  if (headers['content-type'] === 'application/json') return JSON.parse(body).ticket;
  const entries = [...new URLSearchParams(body)];
  return Object.fromEntries(entries.map(([name, value]) => [name.replace(/^ticket\[(.*)\]$/, '$1'), value]));
}

function kept({ state_id: state, ...values }: Row, { stores = (values) => values }: TicketsOptions): Row {
  const all = { ...values, ...(state !== undefined && { state: STATES.find(({ id }) => id === state) }) };
  return stores(all);
}
