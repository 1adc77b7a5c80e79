import { type Bench, median, medianRatio, type Part } from './budget.ts';
import { type Child, startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';
import { throughput } from './load.ts';

const OPERATIONS = '500';

/** Pages of 50 vendors per second: the whole server, a minimal handler, and a textbook stack. */
export const lists: Part = {
  name: 'lists',
  about: 'list throughput against a bare handler and against the textbook stack, 500 operations loaded',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_lists');
    const { connectionId, token } = await listFixture(databaseUrl, 10_000);
    const env = { DATABASE_URL: databaseUrl, CONNECTION_ID: connectionId, TOKEN: token, OPERATIONS };
    const ours = await startServer('ours.ts', env);
    const cursor = (await page(ours.url, token)).meta.next_cursor;
    const others = await Promise.all(
      ['bare.ts', 'textbook.ts'].map((file) => startServer(file, { ...env, NEXT_CURSOR: cursor })),
    );
    const [bare, textbook] = others as [Child, Child];
    try {
      await sameBytes([ours, bare], token);
      await sameRecords(ours, textbook, token);
      return await compare(bench, { ours, bare, textbook }, token);
    } finally {
      await Promise.all([ours, ...others].map((server) => server.stop()));
    }
  },
};

async function compare(bench: Bench, servers: { ours: Child; bare: Child; textbook: Child }, token: string) {
  const headers = { Authorization: `Bearer ${token}` };
  const target = (name: string, { url }: Child, more = {}) => ({
    name,
    url: `${url}/v4/vendors`,
    headers: { ...headers, ...more },
  });
  const { tag, bytes, compressedBytes } = await representations(servers.ours, headers);
  const targets = [
    target('ours', servers.ours),
    target('bare', servers.bare),
    target('textbook', servers.textbook),
    target('compressed', servers.ours, { 'Accept-Encoding': 'zstd' }),
    { ...target('unchanged', servers.ours, { 'If-None-Match': tag }), status: 304 },
  ] as const;
  const [ours, bare, textbook, compressed, unchanged] = await throughput(targets, bench.seconds);
  const rss = await servers.ours.memory();
  const figures = {
    'pages/s': Math.round(median(ours)),
    'bare pages/s': Math.round(median(bare)),
    'textbook pages/s': Math.round(median(textbook)),
    'compressed pages/s': Math.round(median(compressed)),
    'unchanged pages/s': Math.round(median(unchanged)),
    bytes,
    'compressed bytes': compressedBytes,
  };
  const said = Object.entries(figures).map(([name, value]) => `${value} ${name}`);
  bench.say(`${said.join(', ')}; ${Math.round(rss / 1e6)} MB`);
  return [
    {
      name: 'list of 50, whole server against bare',
      value: medianRatio(ours, bare),
      unit: 'of bare',
      budget: { atLeast: 0.7 },
      figures,
    },
    {
      name: 'list of 50 against the textbook stack',
      value: medianRatio(ours, textbook),
      unit: 'times',
      budget: { atLeast: 6 },
      figures,
    },
    {
      name: 'list of 50 compressed with zstd against plain',
      value: medianRatio(compressed, ours),
      unit: 'of plain',
      budget: { atLeast: 0.3 },
      figures,
    },
    {
      name: 'list of 50 that the client has (304) against 200',
      value: medianRatio(unchanged, ours),
      unit: 'times',
      budget: { atLeast: 3 },
      figures,
    },
  ];
}

/** The tag of the list, and its length with and without compression. */
async function representations({ url }: Child, headers: Readonly<Record<string, string>>) {
  const request = (method: string, more = {}) =>
    fetch(`${url}/v4/vendors`, { method, headers: { ...headers, ...more } });
  const plain = await request('GET', { 'Accept-Encoding': 'identity' });
  const compressed = await request('GET', { 'Accept-Encoding': 'gzip' });
  await compressed.arrayBuffer();
  return {
    tag: plain.headers.get('ETag') ?? '',
    bytes: (await plain.arrayBuffer()).byteLength,
    compressedBytes: Number(compressed.headers.get('Content-Length')),
  };
}

async function page(url: string, token: string) {
  const response = await fetch(`${url}/v4/vendors`, { headers: { Authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${text}`);
  return { text, ...(JSON.parse(text) as { meta: { next_cursor: string }; data: object[] }) };
}

async function sameBytes([one, other]: [Child, Child], token: string): Promise<void> {
  const [a, b] = await Promise.all([page(one.url, token), page(other.url, token)]);
  if (a.text !== b.text)
    throw new Error(`The bare handler sends different bytes:\n${a.text.slice(0, 400)}\n${b.text.slice(0, 400)}`);
}

/** The textbook stack parses and renders the records, so white space may differ. */
async function sameRecords(one: Child, other: Child, token: string): Promise<void> {
  const [a, b] = await Promise.all([page(one.url, token), page(other.url, token)]);
  if (JSON.stringify(a.data) !== JSON.stringify(b.data)) throw new Error('The textbook stack sends different records.');
}
