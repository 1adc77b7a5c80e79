// A server that behaves as Microsoft documents the API v2.0 of Business Central, with its articles on paging, limits and error
// codes: https://learn.microsoft.com/dynamics365/business-central/dev-itpro/api-reference/v2.0/.
import {
  type Answer,
  type Behavior,
  type Call,
  type DocumentedServer,
  startDocumentedServer,
} from '../documented-server.ts';
import { type Company, type Entity, smallCompany } from './company-data.ts';
import { LISTS, metadata } from './description.ts';
import { meets } from './filter.ts';
import { fail } from './odata-failures.ts';
import { act, changed, created, removed } from './rules.ts';

const COMPANY = 'a0a0a0a0-bbbb-4ccc-8ddd-e1e1e1e1e1e1';
const API = '/v2.0/contoso.com/production/api/v2.0';
const TOKENS = '/contoso.com/oauth2/v2.0/token';
const SCOPE = 'https://api.businesscentral.dynamics.com/.default';
const CLIENT = { id: '11112222-bbbb-3333-cccc-4444dddd5555', secret: 'A1bC2d~s3cret' };
/** The maximum that the service allows for `odata.maxpagesize`. */
const LARGEST_PAGE = 20_000;

export interface BusinessCentral extends DocumentedServer {
  readonly company: Company;
  /** Settings of a connection. */
  readonly settings: Readonly<Record<string, string | boolean>>;
  /** Ends all tokens that were issued. */
  expireTokens(): void;
}

export async function startBusinessCentral(): Promise<BusinessCentral> {
  const company = smallCompany();
  let issued = 0;
  let valid = new Set<string>();
  const server = await startDocumentedServer({
    isSignIn: ({ path }) => path === TOKENS,
    // The article on limits does not mention Retry-After.
    throttle: () => fail(429, 'Application_TooManyRequests', 'Too many requests.'),
    respond(call, behavior) {
      if (call.path === TOKENS) {
        issued += 1;
        const answer = token(call, `token-${issued}`);
        if (answer.status === 200) valid.add(`Bearer token-${issued}`);
        return answer;
      }
      if (!valid.has(String(call.headers.authorization))) {
        const refused = fail(
          401,
          'Authentication_InvalidCredentials',
          'The server has rejected the client credentials.',
        );
        return { ...refused, headers: { 'www-authenticate': 'Bearer' } };
      }
      return answerTo(company, call, behavior);
    },
  });
  const { origin } = server;
  return {
    ...server,
    company,
    settings: {
      url: `${origin}${API}`,
      company: COMPANY,
      tokenUrl: `${origin}${TOKENS}`,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scope: SCOPE,
      allowPrivateHosts: true,
    },
    expireTokens: () => {
      valid = new Set();
    },
  };
}

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
function token({ body, headers }: Call, access_token: string): Answer {
  const form = new URLSearchParams(body);
  const [id = '', secret = ''] = Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64')
    .toString()
    .split(':')
    .map(decodeURIComponent);
  const isKnown = id === CLIENT.id && secret === CLIENT.secret;
  if (isKnown && form.get('grant_type') === 'client_credentials' && form.get('scope') === SCOPE) {
    return { status: 200, body: { token_type: 'Bearer', expires_in: 3599, access_token } };
  }
  const error_description = 'AADSTS7000215: Invalid client secret provided.';
  return { status: 401, body: { error: 'invalid_client', error_description, error_codes: [7000215] } };
}

function answerTo(company: Company, call: Call, behavior: Behavior): Answer {
  const below = call.path.slice(API.length);
  if (!call.path.startsWith(API)) return fail(404, 'BadRequest_NotFound', 'Bad Request - Error in query syntax');
  if (below === '/$metadata') return { status: 200, headers: { 'content-type': 'application/xml' }, body: metadata() };
  const root = `/companies(${COMPANY})`;
  if (below === root || below === `${root}/`) return { status: 200, body: { id: COMPANY, name: 'CRONUS USA, Inc.' } };
  if (!below.startsWith(`${root}/`)) return fail(404, 'Internal_CompanyNotFound', 'The company was not found.');
  const [, set = '', id, list] =
    /^(\w+)(?:\(([\w-]+)\))?(?:\/(?:Microsoft\.NAV\.)?(\w+))?$/.exec(below.slice(root.length + 1)) ?? [];
  const entities = company.get(set);
  if (!entities) return fail(404, 'BadRequest_NotFound', `Resource not found for the segment '${set}'.`);
  if (id === undefined) {
    return call.method === 'GET' ? listOf(company, set, call, behavior) : created(company, set, JSON.parse(call.body));
  }
  const entity = entities.get(id);
  if (!entity) return fail(404, 'BadRequest_NotFound', `The resource with the ID ${id} does not exist.`);
  if (call.method === 'GET') return { status: 200, body: shown(company, entity, call.query) };
  if (call.method === 'POST' && list && list === LISTS[set]) {
    return created(company, list, { ...JSON.parse(call.body), documentId: id });
  }
  if (call.method === 'POST' && list) return act(company, set, entity, list);
  const match = call.headers['if-match'];
  if (match === undefined) {
    const message =
      'Could not validate the client concurrency token required by the service. Please provide a valid token';
    return fail(400, 'BadRequest_InvalidToken', message);
  }
  if (match !== '*' && match !== entity.values['@odata.etag']) {
    return fail(409, 'Request_EntityChanged', 'Another user has already changed the record.');
  }
  return call.method === 'PATCH' ? changed(company, set, entity, JSON.parse(call.body)) : removed(company, set, entity);
}

/** Pages that the service limits itself, with links. */
function listOf(company: Company, set: string, call: Call, behavior: Behavior): Answer {
  const { query, headers, origin, path } = call;
  const filter = query.get('$filter') ?? '';
  const unsupported = ['$orderby', '$skip'].find((name) => query.has(name));
  if (unsupported) return fail(501, 'BadRequest_MethodNotImplemented', `${unsupported} is not supported here.`);
  if (Object.values(LISTS).includes(set) && !/documentId|id eq/.test(filter)) {
    return fail(400, 'Application_DialogException', 'You must specify an Id or a Document Id to get the lines.');
  }
  const asked = Number(/odata\.maxpagesize=(\d+)/.exec(String(headers.prefer))?.[1] ?? LARGEST_PAGE);
  const size = Math.min(asked, LARGEST_PAGE, behavior.pageSize);
  const all = [...(company.get(set)?.values() ?? [])].filter((each) => meets(each.values, filter));
  const found = all.slice(0, Number(query.get('$top') ?? all.length));
  const begin = Number(query.get('$skiptoken') ?? 0);
  const rest = new URLSearchParams(query);
  rest.set('$skiptoken', String(begin + size));
  const value = found.slice(begin, begin + size).map((each) => shown(company, each, query));
  const link = begin + size < found.length ? { '@odata.nextLink': `${origin}${path}?${rest}` } : {};
  return {
    status: 200,
    headers: { 'preference-applied': `odata.maxpagesize=${size}` },
    body: { '@odata.context': `${origin}${API}/$metadata#companies(${COMPANY})/${set}`, value, ...link },
  };
}

/** An entity with the properties that are selected and the list that is expanded. */
function shown(company: Company, { values }: Entity, query: URLSearchParams): Record<string, unknown> {
  const selected = query.get('$select')?.split(',');
  const own = Object.entries(values).filter(([name]) => name.startsWith('@') || !selected || selected.includes(name));
  const expanded = query.get('$expand')?.split(',') ?? [];
  const lists = expanded.map((list) => {
    const lines = [...(company.get(list)?.values() ?? [])].filter((each) => each.values.documentId === values.id);
    return [list, lines.map((line) => line.values)];
  });
  return Object.fromEntries([...own, ...lists]);
}
