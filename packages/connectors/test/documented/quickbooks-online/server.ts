// A server that behaves like the QuickBooks Online Accounting API
// (https://developer.intuit.com/app/developer/qbo/docs/learn/explore-the- quickbooks-online-api: data queries, create, update,
// delete and void, errors, limits) and the token endpoint of Intuit
// (https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/oauth-2.0).
import {
  type Answer,
  type Behavior,
  type Call,
  type DocumentedServer,
  startDocumentedServer,
} from '../documented-server.ts';
import { type Books, deletedFrom, type Entry, LISTS, now, smallCompany } from './books.ts';
import { fault, WRITTEN, write } from './rules.ts';

const COMPANY = '4620816365291234567';
const CLIENT = { clientId: 'ABclient', clientSecret: 's3cret0123456789' };

export interface QuickBooks extends DocumentedServer {
  readonly books: Books;
  /** Settings of a connection. */
  readonly settings: Readonly<Record<string, string | boolean>>;
  /** The access token that was issued last is no longer accepted. */
  expire(): void;
}

export async function startQuickBooks(): Promise<QuickBooks> {
  const books = smallCompany();
  const tokens = { refresh: ['refresh-0'], access: '' };
  /** Responses by the id of their request. */
  const answers = new Map<string, Answer>();
  const isSignIn = ({ path }: Call) => path === '/oauth2/v1/tokens/bearer';
  const server = await startDocumentedServer({
    isSignIn,
    throttle: () => fault(429, '3001', 'ThrottleExceeded', 'The request limit was reached. Try again later.'),
    respond(call, behavior) {
      if (isSignIn(call)) return token(call, tokens);
      if (tokens.access === '' || call.headers.authorization !== `Bearer ${tokens.access}`)
        return fault(401, '3200', 'message=AuthenticationFailed; errorCode=003200; statusCode=401', 'Token expired');
      const [, company, name = ''] = /^\/v3\/company\/([^/]+)\/([a-z]+)$/.exec(call.path) ?? [];
      if (company !== COMPANY)
        return fault(403, '3100', 'ApplicationAuthorizationFailed', 'The app has no access to this company');
      if (name === 'query' && call.method === 'GET') return query(books, call, behavior);
      if (name === 'cdc' && call.method === 'GET') return changedSince(books, call);
      const type = WRITTEN.get(name);
      if (!type || call.method !== 'POST') return fault(400, '500', 'Unsupported Operation', `There is no ${name}`);
      if (call.headers['content-type'] !== 'application/json')
        return fault(400, '4000', 'Error parsing the request', 'The content type must be application/json');
      const id = call.query.get('requestid');
      const known = id === null ? undefined : answers.get(id);
      const answer = known ?? write(books, type, JSON.parse(call.body), call.query.get('operation'));
      if (id !== null && answer.status === 200) answers.set(id, answer);
      return answer;
    },
  });
  const tokenUrl = `${server.origin}/oauth2/v1/tokens/bearer`;
  const settings = {
    ...{ ...CLIENT, company: COMPANY, refreshToken: 'refresh-0', url: server.origin, tokenUrl },
    allowPrivateHosts: true,
  };
  const expire = () => {
    tokens.access = '';
  };
  return { ...server, books, settings, expire };
}

/**
 * Refresh tokens are replaced about once a day. Intuit has stated both that the previous one expires then, and 24 hours later;
 * here, it is replaced each time, and stays valid.
 */
function token({ headers, body }: Call, tokens: { refresh: string[]; access: string }): Answer {
  const basic = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64');
  if (headers.authorization !== `Basic ${basic}`) return { status: 401, body: { error: 'invalid_client' } };
  const form = new URLSearchParams(body);
  if (form.get('grant_type') !== 'refresh_token' || !tokens.refresh.includes(form.get('refresh_token') ?? ''))
    return { status: 400, body: { error: 'invalid_grant' } };
  const number = tokens.refresh.push(`refresh-${tokens.refresh.length}`) - 1;
  tokens.access ||= `access-${number}`;
  const lifetimes = { expires_in: 3600, x_refresh_token_expires_in: 8_726_400 };
  const issued = { access_token: tokens.access, refresh_token: `refresh-${number}`, token_type: 'bearer' };
  return { status: 200, body: { ...issued, ...lifetimes } };
}

const STATEMENT =
  /^select \* from (\w+)(?: where (.+?))?(?: orderby (Id|MetaData\.CreateTime desc))?(?: startposition (\d+))?(?: maxresults (\d+))?$/;

/** `select * from Vendor where Active in (true, false) orderby Id startposition 1 maxresults 1000` */
function query(books: Books, { query: parameters }: Call, { pageSize }: Behavior): Answer {
  const [, type = '', where, order, start = '1', most = '100'] = STATEMENT.exec(parameters.get('query') ?? '') ?? [];
  const entries = books.get(type);
  const conditions = where === undefined ? [] : where.split(' and ').map(conditionOf);
  if (!entries || conditions.includes(undefined) || Number(start) < 1 || Number(most) > 1000)
    return fault(400, '4000', 'Error parsing query', `QueryParserError: ${parameters.get('query')}`);
  const isLimited = LISTS.includes(type) && !where?.includes('Active in');
  const found = [...entries.values()].filter(
    (entry) => conditions.every((meets) => meets?.(entry)) && (!isLimited || entry.Active === true),
  );
  if (order !== 'Id' && order !== undefined) found.reverse();
  const size = Math.min(Number(most), pageSize);
  const shown = found.slice(Number(start) - 1, Number(start) - 1 + size);
  const position = { startPosition: Number(start), maxResults: shown.length };
  const response = shown.length === 0 ? {} : { [type]: shown, ...position };
  return { status: 200, body: { QueryResponse: response, time: now() } };
}

/** Change data capture: `entities=Invoice,Bill&changedSince=2026-11-20T09:00:00Z`, with one result for each type. */
function changedSince(books: Books, { query: parameters }: Call): Answer {
  const since = Date.parse(parameters.get('changedSince') ?? '');
  const types = (parameters.get('entities') ?? '').split(',');
  if (Number.isNaN(since) || types.some((type) => !books.has(type)))
    return fault(400, '4000', 'Error parsing query', 'The entities and the time are not valid');
  const isChanged = ({ MetaData }: Pick<Entry, 'MetaData'>) => Date.parse(MetaData.LastUpdatedTime) >= since;
  const results = types.map((type) => {
    const deleted = deletedFrom(books).flatMap((each) => (each.type === type ? each.entry : []));
    const found = [...(books.get(type)?.values() ?? []), ...deleted].filter(isChanged);
    return found.length === 0 ? {} : { [type]: found, startPosition: 1, maxResults: found.length };
  });
  return { status: 200, body: { CDCResponse: [{ QueryResponse: results }], time: now() } };
}

function conditionOf(text: string): ((entry: Entry) => boolean) | undefined {
  if (text === 'Active in (true, false)') return () => true;
  const [, id] = /^Id = '(.*)'$/.exec(text) ?? [];
  if (id !== undefined) return (entry) => entry.Id === id.replaceAll(/\\(.)/g, '$1');
  const [, since] = /^MetaData\.LastUpdatedTime >= '([^']+)'$/.exec(text) ?? [];
  if (since === undefined || Number.isNaN(Date.parse(since))) return undefined;
  return ({ MetaData }) => Date.parse(MetaData.LastUpdatedTime) >= Date.parse(since);
}
