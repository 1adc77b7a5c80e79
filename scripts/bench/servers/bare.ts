// Baseline: a minimal handler for a list. `node:http`, one prepared statement for each kind of address, a join of strings,
// without credentials, limits or checks. It sends the same bytes as the whole server.
import { createServer } from 'node:http';
import pg from 'pg';

const { DATABASE_URL, CONNECTION_ID } = process.env;
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 10,
  types: { getTypeParser: () => String },
  // As in the whole server, so that both use the same query plan.
  options: '-c enable_seqscan=off',
});
const rowsOf = (keys: string, condition: string, order: string) =>
  `select doc, ${keys} from data."vendors" where connection_id = $1 and "_deletedAt" is null ${condition} order by ${order} limit 51`;

const lists = {
  first: { text: rowsOf('id', '', 'id'), sort: 'id' },
  after: { text: rowsOf('id', 'and id > $2', 'id'), sort: 'id' },
  named: { text: rowsOf('name, id', 'and name > $2', 'name, id'), sort: 'name,id' },
};

/** The statement of an address, and its value. */
function listOf(url = ''): { name: keyof typeof lists; values: string[] } {
  const at = url.indexOf('?');
  if (at < 0) return { name: 'first', values: [] };
  const parameters = new URLSearchParams(url.slice(at));
  const cursor = parameters.get('cursor');
  if (cursor !== null)
    return { name: 'after', values: [JSON.parse(Buffer.from(cursor, 'base64url').toString()).at(-1)] };
  return { name: 'named', values: [parameters.get('filter[name:gt]') ?? ''] };
}

const server = createServer(async (request, response) => {
  const { name, values } = listOf(request.url);
  const { text, sort } = lists[name];
  const { rows } = await pool.query({ name, text, values: [CONNECTION_ID, ...values], rowMode: 'array' });
  const more = rows.length > 50;
  if (more) rows.pop();
  const position = [...(rows.at(-1) ?? [])].slice(1);
  const cursor = more ? Buffer.from(JSON.stringify(['Vendor', sort, ...position])).toString('base64url') : null;
  const meta = { current_page: name === 'after' ? null : 1, per_page: 50, has_more: more, next_cursor: cursor };
  const body = `{"meta":${JSON.stringify(meta)},"data":[${rows.map(([doc]) => doc).join(',')}]}`;
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
