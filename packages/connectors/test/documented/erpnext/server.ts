// A server that behaves like the REST API of the Frappe Framework (https://docs.frappe.io/framework/user/en/api/rest;
// frappe/api/v1.py, frappe/exceptions.py and frappe/rate_limiter.py in https://github.com/frappe/frappe) with DocTypes of
// ERPNext.
import {
  type Answer,
  type Behavior,
  type Call,
  type DocumentedServer,
  startDocumentedServer,
} from '../documented-server.ts';
import { add, DOCTYPES, type Doc, now, type Site, setRows, smallSite } from './site-data.ts';

const KEY = '4ac9fcf0f3e8a1b';
const SECRET = 's3cret0123456789';

export interface ErpNext extends DocumentedServer {
  readonly site: Site;
  /** Settings of a connection. */
  readonly settings: Readonly<Record<string, string | boolean>>;
}

export async function startErpNext(): Promise<ErpNext> {
  const site = smallSite();
  const server = await startDocumentedServer({
    isSignIn: () => false,
    throttle: () => ({
      status: 429,
      headers: { 'retry-after': '7', 'content-type': 'text/html; charset=utf-8' },
      body: 'Too Many Requests',
    }),
    respond(call, behavior) {
      if (call.headers.authorization !== `token ${KEY}:${SECRET}`)
        return fail(401, 'AuthenticationError', 'Invalid API credentials');
      if (call.path === '/api/method/frappe.auth.get_logged_user')
        return { status: 200, body: { message: 'api@northwind.example' } };
      const [, doctype = '', name] = /^\/api\/resource\/([^/]+)(?:\/(.+))?$/.exec(call.path) ?? [];
      const docs = site.get(doctype);
      if (!docs) return fail(404, 'DoesNotExistError', `DocType ${doctype} not found`);
      if (name === undefined) return call.method === 'GET' ? list(docs, call, behavior) : create(site, doctype, call);
      const doc = docs.get(name);
      if (!doc) return fail(404, 'DoesNotExistError', `${doctype} ${name} not found`);
      if (call.method === 'GET') return { status: 200, body: { data: doc } };
      return call.method === 'DELETE' ? remove(site, docs, doc) : update(doc, call);
    },
  });
  const settings = { url: server.origin, apiKey: KEY, apiSecret: SECRET, allowPrivateHosts: true };
  return { ...server, site, settings };
}

/** An error as the framework returns it: the messages are JSON within JSON, with markup. */
function fail(status: number, exc_type: string, message: string): Answer {
  const messages = JSON.stringify([JSON.stringify({ message, title: 'Message', indicator: 'red' })]);
  const body = { exception: `frappe.exceptions.${exc_type}: ${message}`, exc_type, _server_messages: messages };
  return { status, body };
}

/** Child tables are not part of a list. */
function list(docs: ReadonlyMap<string, Doc>, { query }: Call, { pageSize }: Behavior): Answer {
  const fields: string[] = JSON.parse(query.get('fields') ?? '["name"]');
  const filters: [string, string, string][] = JSON.parse(query.get('filters') ?? '[]');
  const [field = 'modified', direction = 'desc'] = (query.get('order_by') ?? 'modified desc').split(' ');
  const size = Math.min(Number(query.get('limit_page_length') ?? 20), pageSize);
  const start = Number(query.get('limit_start') ?? 0);
  const meets = (doc: Doc) =>
    filters.every(([name, operator, value]) => (operator === '>=' ? String(doc[name]) >= value : doc[name] === value));
  const found = [...docs.values()]
    .filter(meets)
    .sort((one, other) => (String(one[field]) < String(other[field]) ? -1 : 1));
  if (direction === 'desc') found.reverse();
  const shown = (doc: Doc) =>
    Object.fromEntries(
      Object.entries(doc).filter(
        ([name, value]) => (fields[0] === '*' || fields.includes(name)) && !Array.isArray(value) && name !== 'doctype',
      ),
    );
  return { status: 200, body: { data: found.slice(start, start + size).map(shown) } };
}

/** The label of a field: Supplier Name. */
function label(field: string): string {
  return field.replace(/(?:^|_)(.)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
}

function create(site: Site, doctype: string, { body }: Call): Answer {
  const given: Record<string, unknown> = JSON.parse(body);
  const { mandatory = [], named } = DOCTYPES[doctype] ?? {};
  const missing = mandatory.find(
    (field) => !given[field] || (Array.isArray(given[field]) && given[field].length === 0),
  );
  if (missing) return fail(417, 'MandatoryError', `Error: Value missing for ${doctype}: ${label(missing)}`);
  const name = named && 'field' in named ? String(given[named.field]) : undefined;
  if (name !== undefined && site.get(doctype)?.has(name))
    return fail(409, 'DuplicateEntryError', `${doctype} <strong>${name}</strong> already exists`);
  return { status: 200, body: { data: add(site, doctype, given) } };
}

/** Fields that can be changed after submission; the DocTypes have more. */
const ALLOWED_ON_SUBMIT = ['schedule_date', 'delivery_date', 'po_no', 'docstatus', 'modified'];

/** A document with `docstatus` 1 is submitted: it can be cancelled, but only some of its fields can be changed. */
function update(doc: Doc, { body }: Call): Answer {
  const { items, ...given }: Record<string, unknown> = JSON.parse(body);
  if (given.modified !== undefined && given.modified !== doc.modified) {
    return fail(417, 'TimestampMismatchError', 'Error: Document has been modified after you have opened it');
  }
  const status = Number(given.docstatus ?? doc.docstatus);
  if (doc.docstatus === 2) return fail(417, 'ValidationError', 'Cannot edit cancelled document');
  if (doc.docstatus === 0 && status === 2)
    return fail(417, 'DocstatusTransitionError', 'Cannot change docstatus from 0 (Draft) to 2 (Cancelled)');
  if (doc.docstatus === 1 && status === 0)
    return fail(417, 'DocstatusTransitionError', 'Cannot change docstatus from 1 (Submitted) to 0 (Draft)');
  const refused = Object.keys(given).find((field) => !ALLOWED_ON_SUBMIT.includes(field) && given[field] !== doc[field]);
  if (doc.docstatus === 1 && status === 1 && refused !== undefined) {
    const [before, after] = [doc[refused], given[refused]].map((value) => `<strong>${value}</strong>`);
    const message = ` Not allowed to change <strong>${label(refused)}</strong> after submission from ${before} to ${after}`;
    return fail(417, 'UpdateAfterSubmitError', message);
  }
  Object.assign(doc, given, { modified: now() });
  if (Array.isArray(items)) setRows(doc, items);
  if (given.docstatus === 1)
    Object.assign(doc, {
      status: String(doc.doctype).includes('Invoice') ? 'Unpaid' : 'To Bill',
      outstanding_amount: doc.grand_total,
    });
  if (given.docstatus === 1 && doc.doctype === 'Purchase Order') doc.status = 'To Receive and Bill';
  if (given.docstatus === 2) doc.status = 'Cancelled';
  return { status: 200, body: { data: doc } };
}

function remove(site: Site, docs: Map<string, Doc>, doc: Doc): Answer {
  if (doc.docstatus === 1)
    return fail(417, 'ValidationError', `${doc.doctype} ${doc.name}: Submitted Record cannot be deleted.`);
  const isLinked = [...site.values()].some((others) =>
    [...others.values()].some((other) => other.supplier === doc.name || other.customer === doc.name),
  );
  if (isLinked)
    return fail(
      417,
      'LinkExistsError',
      `Cannot delete or cancel because ${doc.doctype} <a href="/app/x">${doc.name}</a> is linked`,
    );
  docs.delete(doc.name);
  return { status: 202, body: { data: 'ok' } };
}
