import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Row } from '../src/driver.ts';

/** A call that the server received. */
export interface Heard {
  readonly method: string;
  readonly params: unknown[];
}

/** Models of a database with their fields: relations by their target, others by their type. */
export type Models = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A small database of Tryton. */
export interface TrytonDatabase {
  readonly models: Models;
  readonly buttons?: readonly string[];
  /** Names of fields that cannot be searched for. */
  readonly unsearchable?: readonly string[];
  /** Of the only model that is read, in the order of their ids. */
  readonly rows: readonly Row[];
}

/** A server that responds like Tryton 8.2 to calls that describe and read a database; it notes other calls. */
export async function startTrytonServer({ models, buttons = [], unsearchable = [], rows }: TrytonDatabase) {
  const heard: Heard[] = [];
  const resultOf = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'common.server.version') return '8.2.0';
    if (method === 'common.db.login') return [3, 'session', null];
    if (method.endsWith('.get_preferences')) return {};
    const [, model = '', call = ''] = /^model\.(.+)\.(\w+)$/.exec(method) ?? [];
    if (call === 'fields_get') return described(models, model, unsearchable);
    if (call === 'get_access') return Object.fromEntries(Object.keys(models).map((name) => [name, { read: true }]));
    if (model === 'ir.model.button') return buttons.map((name, id) => ({ id, name }));
    return call === 'search_read' ? searched(rows, params) : null;
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    heard.push({ method, params });
    response.end(JSON.stringify({ id, result: resultOf(method, params) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { settings: { url, database: 'erp', user: 'u', password: 'p', allowPrivateHosts: true }, heard, server };
}

function described(models: Models, model: string, unsearchable: readonly string[]) {
  return Object.fromEntries(
    Object.entries(models[model] ?? {}).map(([name, type]) => {
      const isRelation = Object.hasOwn(models, type);
      const kind = isRelation ? { type: name.endsWith('s') ? 'one2many' : 'many2one', relation: type } : { type };
      const searchable = !unsearchable.includes(name);
      return [name, { ...kind, string: name, searchable, sortable: searchable }];
    }),
  );
}

/** Of the conditions of a search, only those on the id are applied. */
function searched(rows: readonly Row[], [domain, , limit]: readonly unknown[]): Row[] {
  const after = JSON.stringify(domain).match(/\["id",">",(-?\d+)\]/)?.[1];
  const matching = after === undefined ? rows : rows.filter(({ id }) => Number(id) > Number(after));
  return matching.slice(0, Number(limit));
}
