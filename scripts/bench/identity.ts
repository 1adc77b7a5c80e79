import { existsSync } from 'node:fs';
import autocannon from 'autocannon';
import { type Browser, chromium } from 'playwright-core';
import { type Bench, median, type Part, type Result } from './budget.ts';
import { type Child, startServer } from './child.ts';
import { type Client, clientFixture, KEY } from './client-fixture.ts';
import { pageSize } from './page-size.ts';

const ROUNDS = 3;

/** Access tokens per second, and the size and loading time of the authorization page. */
export const identity: Part = {
  name: 'identity',
  about: 'access tokens issued to clients per second; size of the authorization page, and time until it can be used',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_identity');
    const client = await clientFixture(databaseUrl);
    const server = await startServer('ours.ts', { DATABASE_URL: databaseUrl, UNIFIED_KEY: KEY, OPERATIONS: '500' });
    try {
      const address = addressOf(server, client);
      return [await tokens(bench, server, client), await size(bench, address), ...(await loading(bench, address))];
    } finally {
      await server.stop();
    }
  },
};

function addressOf(server: Child, { clientId, redirectUri }: Client): string {
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', state: 'benchmark' };
  return `${server.url}/oauth/authorize?${new URLSearchParams(query)}`;
}

async function tokens(bench: Bench, server: Child, { clientId, clientSecret }: Client): Promise<Result> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const issue = async (duration: number) => {
    const result = await autocannon({
      ...{ url: `${server.url}/oauth/token`, method: 'POST', body: new URLSearchParams(form).toString() },
      ...{ headers: { 'content-type': 'application/x-www-form-urlencoded' }, connections: 24, duration },
    });
    if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} tokens were not issued.`);
    return result['2xx'] / result.duration;
  };
  await issue(Math.min(3, bench.seconds));
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await issue(bench.seconds));
  const value = median(rounds);
  bench.say(`${Math.round(value)} access tokens per second`);
  return {
    name: 'access tokens issued by client_credentials',
    ...{ value, unit: 'tokens/s', budget: { atLeast: 300 }, figures: { 'slowest round': Math.min(...rounds) } },
  };
}

async function size(bench: Bench, address: string): Promise<Result> {
  const figures = await pageSize(address);
  const bytes = Object.values(figures).reduce((total, each) => total + each);
  bench.say(`authorization page: ${bytes} bytes compressed`);
  return {
    name: 'authorization page with its parts, compressed',
    ...{ value: bytes / 1000, unit: 'kB', budget: { atMost: 60 }, figures },
  };
}

/**
 * Milliseconds from the request of the address until the scripts of the page have run, each time with an empty cache. There is
 * no result without Chromium.
 */
async function loading(bench: Bench, address: string): Promise<Result[]> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    bench.say(`authorization page: not loaded, because there is no ${executablePath}; set CHROMIUM`);
    return [];
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await loadingTime(browser, address));
    const value = median(rounds);
    bench.say(`authorization page: usable after ${Math.round(value)} ms`);
    const figures = { 'slowest ms': Math.max(...rounds) };
    return [{ name: 'authorization page, usable', value, unit: 'ms', budget: { atMost: 1000 }, figures }];
  } finally {
    await browser.close();
  }
}

async function loadingTime(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('searchbox').waitFor();
  const ready = `performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd`;
  const milliseconds = await page.evaluate<number>(ready);
  await context.close();
  return milliseconds;
}
