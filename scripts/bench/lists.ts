import { type Bench, median, medianRatio, type Part, type Result } from './budget.ts';
import { type Child, startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';
import { throughput } from './load.ts';
import { differentAddresses, oneAddress, requestPage, type Walk } from './walks.ts';

const OPERATIONS = '500';
const ROUNDS = { one: 13, different: 7 };

/** Servers that return the same lists: the whole server, a minimal handler, and a textbook stack. */
interface Servers {
  readonly ours: Child;
  readonly bare: Child;
  readonly textbook: Child;
}

interface Comparison {
  readonly bench: Bench;
  readonly servers: Servers;
  readonly token: string;
}

/** Pages of 50 vendors per second, over the same addresses. */
export const lists: Part = {
  name: 'lists',
  about: 'list throughput against a bare handler and against the textbook stack, 500 operations loaded',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_lists');
    const { connectionId, token } = await listFixture(databaseUrl, 10_000);
    const env = { DATABASE_URL: databaseUrl, CONNECTION_ID: connectionId, TOKEN: token, OPERATIONS };
    const servers = {
      ours: await startServer('ours.ts', env),
      bare: await startServer('bare.ts', env),
      textbook: await startServer('textbook.ts', env),
    };
    try {
      const comparison = { bench, servers, token };
      const results = await compareOneAddress(comparison);
      for (const walk of await differentAddresses(servers.ours.url, token)) {
        results.push(await compareWalk(comparison, walk));
      }
      return results;
    } finally {
      await Promise.all(Object.values(servers).map((server) => server.stop()));
    }
  },
};

/** One address repeatedly: plain, compressed, and for a client that already has the page. */
async function compareOneAddress({ bench, servers, token }: Comparison): Promise<Result[]> {
  await samePages(servers, oneAddress, token);
  const loads = loadsOf(servers, oneAddress, token);
  const { tag, bytes, compressedBytes } = await representations(servers.ours, token);
  const [own] = loads;
  const variant = (name: string, header: Readonly<Record<string, string>>) => ({
    ...own,
    name,
    headers: { ...own.headers, ...header },
  });
  const compressing = variant('compressed', { 'Accept-Encoding': 'zstd' });
  const repeating = { ...variant('unchanged', { 'If-None-Match': tag }), status: 304 } as const;
  const [ours, bare, textbook, compressed, unchanged] = await throughput([...loads, compressing, repeating], {
    seconds: bench.seconds,
    rounds: ROUNDS.one,
  });
  const figures = {
    ...perSecond({ ours, bare, textbook, compressed, unchanged }),
    bytes,
    ...Object.fromEntries(CODINGS.map((coding) => [`${coding} bytes`, compressedBytes[coding]])),
    'compressed of plain': Math.round(medianRatio(compressed, ours) * 100) / 100,
  };
  bench.say(`${oneAddress.name}: ${wordsOf(figures)}; ${Math.round((await servers.ours.memory()) / 1e6)} MB`);
  return [
    {
      name: 'list of 50, whole server against bare',
      value: medianRatio(ours, bare),
      unit: 'of bare',
      budget: { atLeast: 0.85 },
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
      name: 'bytes of a list of 50 compressed against plain, worst coding',
      value: Math.max(...Object.values(compressedBytes)) / bytes,
      unit: 'of plain',
      budget: { atMost: 0.1 },
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

/** Addresses that differ from request to request. */
async function compareWalk({ bench, servers, token }: Comparison, walk: Walk): Promise<Result> {
  await samePages(servers, walk, token);
  const [ours, bare, textbook] = await throughput(loadsOf(servers, walk, token), {
    seconds: bench.seconds,
    rounds: ROUNDS.different,
  });
  const figures = perSecond({ ours, bare, textbook });
  bench.say(`${walk.name}: ${wordsOf(figures)}`);
  return {
    name: `list of 50 against bare, ${walk.name}`,
    value: medianRatio(ours, bare),
    unit: 'of bare',
    budget: { atLeast: 0.85 },
    figures,
  };
}

function loadsOf(servers: Servers, { paths }: Walk, token: string) {
  const load = (name: keyof Servers) => ({
    name,
    url: servers[name].url,
    headers: { Authorization: `Bearer ${token}` },
    paths,
  });
  return [load('ours'), load('bare'), load('textbook')] as const;
}

/** Median pages per second. */
function perSecond(rounds: Readonly<Record<string, readonly number[]>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(rounds).map(([name, pages]) => [`${name} pages/s`, Math.round(median([...pages]))]),
  );
}

function wordsOf(figures: Readonly<Record<string, number>>): string {
  return Object.entries(figures)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');
}

const CODINGS = ['zstd', 'br', 'gzip'] as const;

/** The tag of the list, and its length in bytes without and with each compression. */
async function representations({ url }: Child, token: string) {
  const request = async (coding: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': coding };
    const response = await fetch(`${url}/v4/vendors`, { headers });
    await response.arrayBuffer();
    return response.headers;
  };
  const length = async (coding: string) => Number((await request(coding)).get('Content-Length'));
  const [zstd, br, gzip] = await Promise.all(CODINGS.map(length));
  const plain = await request('identity');
  return {
    tag: plain.get('ETag') ?? '',
    bytes: Number(plain.get('Content-Length')),
    compressedBytes: { zstd, br, gzip } as Readonly<Record<(typeof CODINGS)[number], number>>,
  };
}

/** Number of pages of a walk that are compared. */
const COMPARED = 5;

/**
 * Throws unless the servers return the same pages: the bare one the same bytes, the textbook stack, which parses and renders
 * the records, the same records.
 */
async function samePages({ ours, bare, textbook }: Servers, { name, paths }: Walk, token: string): Promise<void> {
  const step = Math.ceil(paths.length / COMPARED);
  for (const path of paths.filter((_, index) => index % step === 0)) {
    const page = ({ url }: Child) => requestPage(url, path, token);
    const [own, minimal, other] = await Promise.all([page(ours), page(bare), page(textbook)]);
    if (own.text !== minimal.text) {
      const texts = [own, minimal].map(({ text }) => text.slice(0, 400)).join('\n');
      throw new Error(`${name}: the bare handler sends different bytes:\n${texts}`);
    }
    if (JSON.stringify(own.data) !== JSON.stringify(other.data)) {
      throw new Error(`${name}: the textbook stack sends different records.`);
    }
  }
}
