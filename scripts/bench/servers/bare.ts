// Baseline: a minimal handler for a list. `node:http`, one prepared statement, a join of strings; no credentials, no
// limits, no checks. It sends the same bytes as the whole server.
import { createServer } from 'node:http';
import pg from 'pg';

const { DATABASE_URL, CONNECTION_ID } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, types: { getTypeParser: () => String } });
const text = `select doc, id from data."vendors" where connection_id = $1 and "_deletedAt" is null order by id limit 51`;

const server = createServer(async (_request, response) => {
  const { rows } = await pool.query({ name: 'page', text, values: [CONNECTION_ID], rowMode: 'array' });
  const more = rows.length > 50;
  if (more) rows.pop();
  const meta = { current_page: 1, per_page: 50, has_more: more, next_cursor: process.env.NEXT_CURSOR };
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
