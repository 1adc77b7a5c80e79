// Baseline: a textbook stack with the best reasonable settings. Express, one express-openapi-validator for the whole
// document (requests only), a token check, Knex per request, `res.json`. It returns the same records.
import { createHash } from 'node:crypto';
import express from 'express';
import { middleware } from 'express-openapi-validator';
import knex from 'knex';
import { manyOperations } from '../many-operations.ts';

const { DATABASE_URL, CONNECTION_ID, TOKEN = '', NEXT_CURSOR } = process.env;
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
app.get('/v4/vendors', async (request, response) => {
  const { per_page: limit, page } = request.query as unknown as { per_page: number; page: number };
  const rows = await db('data.vendors')
    .select('doc')
    .where({ connection_id: known.get(hash(request.headers.authorization?.slice(7) ?? '')) })
    .whereNull('_deletedAt')
    .orderBy('id')
    .limit(limit + 1)
    .offset((page - 1) * limit);
  const meta = { current_page: page, per_page: limit, has_more: rows.length > limit, next_cursor: NEXT_CURSOR };
  response.json({ meta, data: rows.slice(0, limit).map(({ doc }) => doc) });
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
