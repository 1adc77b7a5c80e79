// A server that behaves like the External JSON-2 API of Odoo 19 (https://www.odoo.com/documentation/19.0/developer/reference/
// external_api.html), with fields of the models of Odoo.
import {
  type Answer,
  type Behavior,
  type Call,
  type DocumentedServer,
  startDocumentedServer,
} from '../documented-server.ts';
import { type Database, MODELS, smallDatabase, type Values } from './database.ts';
import { fail } from './failures.ts';
import { created, pressed, unlinked, written } from './methods.ts';

const KEY = '6578616d706c65206a736f6e20617069206b6579';
const DATABASE = 'mycompany';

export interface Odoo extends DocumentedServer {
  readonly database: Database;
  /** Settings of a connection. */
  readonly settings: Readonly<Record<string, string | boolean>>;
}

export async function startOdoo(): Promise<Odoo> {
  const database = smallDatabase();
  const server = await startDocumentedServer({
    isSignIn: () => false,
    isCreate: ({ path }) => path.endsWith('/create'),
    isChange: ({ path }) => !/\/(search_read|search_count)$/.test(path),
    throttle: () => ({ status: 429, headers: { 'content-type': 'text/html' }, body: 'Too Many Requests' }),
    respond: (call, behavior) => answerTo(database, call, behavior),
  });
  const settings = { url: server.origin, token: KEY, database: DATABASE, allowPrivateHosts: true };
  return { ...server, database, settings };
}

function answerTo(database: Database, call: Call, behavior: Behavior): Answer {
  const { path, method, headers } = call;
  if (!/^bearer /i.test(String(headers.authorization)) || !String(headers.authorization).endsWith(` ${KEY}`)) {
    return fail(401, 'werkzeug.exceptions.Unauthorized', 'Invalid apikey');
  }
  const [, model = '', called = ''] = /^\/json\/2\/([\w.]+)\/(\w+)$/.exec(path) ?? [];
  const rows = database.get(model);
  if (method !== 'POST' || headers['x-odoo-database'] !== DATABASE || !rows) {
    return fail(404, 'werkzeug.exceptions.NotFound', `the model '${model}' does not exist`);
  }
  const { context = {}, ...body } = JSON.parse(call.body);
  const ids: unknown[] = body.ids ?? [];
  if (!ids.every((id) => typeof id === 'number')) return fail(422, 'builtins.TypeError', 'ids must be integers');
  if (called === 'search_count') return { status: 200, body: found(database, model, body.domain, context).length };
  if (called === 'search_read') return searched(database, model, { ...body, context }, behavior);
  if (called === 'create') return created(database, model, body.vals_list);
  const missing = ids.find((id) => !rows.has(Number(id)));
  if (missing !== undefined) {
    return fail(
      404,
      'odoo.exceptions.MissingError',
      `Record does not exist or has been deleted. (Record: ${model}(${missing},))`,
    );
  }
  const records = ids.map((id) => rows.get(Number(id)) ?? {});
  if (called === 'write') return written(database, model, records, body.vals);
  if (called === 'unlink') return unlinked(database, model, records);
  return pressed(model, records, called);
}

/** Relations are pairs of id and name, and a property without a value is false. */
function searched(
  database: Database,
  model: string,
  { domain, fields, offset = 0, limit, order = 'id', context }: Values,
  { pageSize }: Behavior,
): Answer {
  const named = fields as string[];
  const unknown = named.find((field) => !(field in (MODELS[model]?.fields ?? {})) && field !== 'write_date');
  if (unknown) return fail(422, 'builtins.ValueError', `Invalid field '${unknown}' on '${model}'`);
  const rows = found(database, model, domain as unknown[], context as Values);
  if (order === 'id desc') rows.reverse();
  const size = Math.min(Number(limit ?? rows.length), pageSize);
  const shown = (row: Values) =>
    Object.fromEntries(['id', ...named].map((field) => [field, read(database, model, field, row[field])]));
  return { status: 200, body: rows.slice(Number(offset), Number(offset) + size).map(shown) };
}

function read(database: Database, model: string, field: string, value: unknown): unknown {
  const target = MODELS[model]?.relations?.[field];
  if (value === null || value === undefined) return false;
  if (target === undefined) return value;
  return [value, database.get(target)?.get(Number(value))?.name ?? ''];
}

/** Rows in the order of their ids that meet every condition; archived ones only if the context requests them. */
function found(database: Database, model: string, domain: unknown[], context: Values): Values[] {
  const meets = (row: Values) =>
    (domain as [string, string, unknown][]).every((condition) => holds(database, model, row, condition));
  const isShown = (row: Values) => row.active !== false || context.active_test === false;
  const rows = [...(database.get(model)?.values() ?? [])].filter((row) => isShown(row) && meets(row));
  return rows.sort((one, other) => Number(one.id) - Number(other.id));
}

function holds(
  database: Database,
  model: string,
  row: Values,
  [path, operator, wanted]: [string, string, unknown],
): boolean {
  const [field = '', below] = path.split('.');
  if (below !== undefined) {
    const target = MODELS[model]?.relations?.[field] ?? '';
    const related = database.get(target)?.get(Number(row[field]));
    return related !== undefined && holds(database, target, related, [below, operator, wanted]);
  }
  const value = row[field];
  if (operator === 'in') return (wanted as unknown[]).includes(value);
  if (operator === '=') return value === wanted;
  if (operator === '>') return Number(value) > Number(wanted);
  return String(value) >= String(wanted);
}
