// Baseline: a textbook stack with the best reasonable settings. Express, one express-openapi-validator for the whole
// document (requests only), a token check, Knex per request, `res.json`. It returns the same records.
import { createHash } from 'node:crypto';
import express from 'express';
import { middleware } from 'express-openapi-validator';
import knex from 'knex';
import { manyOperations } from '../many-operations.ts';

const { DATABASE_URL, CONNECTION_ID, TOKEN = '' } = process.env;
const db = knex({ client: 'pg', connection: DATABASE_URL ?? '', pool: { min: 2, max: 10 } });
const known = new Map([[hash(TOKEN), CONNECTION_ID]]);
const { document } = manyOperations(Number(process.env.OPERATIONS ?? 500));

const app = express();
app.set('env', 'production');
app.set('etag', false);
app.set('query parser', 'extended');
app.disable('x-powered-by');
app.use(express.json({ limit: '1mb' }));
app.use(
  middleware({
    apiSpec: document as unknown as Parameters<typeof middleware>[0]['apiSpec'],
    validateApiSpec: false,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: {
      handlers: { connectionToken: (request) => known.has(hash(request.headers.authorization?.slice(7) ?? '')) },
    },
    fileUploader: false,
  }),
);
const OPERATORS: Readonly<Record<string, string>> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

interface Query {
  readonly per_page: number;
  readonly page: number;
  readonly cursor?: string;
  readonly sort?: string;
  readonly filter?: Readonly<Record<string, string>>;
}

app.get('/v4/vendors', async (request, response) => {
  const { per_page: limit, page, cursor, sort = 'id', filter = {} } = request.query as unknown as Query;
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const keys = [...new Set([sort.replace('-', ''), 'id'])];
  const query = db('data.vendors')
    .select('doc', ...keys)
    .where({ connection_id: known.get(hash(request.headers.authorization?.slice(7) ?? '')) })
    .whereNull('_deletedAt')
    .limit(limit + 1);
  for (const key of keys) query.orderBy(key, direction);
  for (const [key, value] of Object.entries(filter)) {
    const [field = '', operator = 'eq'] = key.split(':');
    query.where(field, OPERATORS[operator] ?? '=', value);
  }
  if (cursor === undefined) query.offset((page - 1) * limit);
  else query.where('id', '>', JSON.parse(Buffer.from(cursor, 'base64url').toString()).at(-1));
  const rows = await query;
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const position = last && JSON.stringify(['Vendor', sort, ...keys.map((key) => last[key])]);
  const next = position && Buffer.from(position).toString('base64url');
  const meta = { current_page: cursor ? null : page, per_page: limit, has_more: last !== undefined, next_cursor: next };
  response.json({ meta, data: rows.slice(0, limit).map(({ doc }) => doc) });
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
