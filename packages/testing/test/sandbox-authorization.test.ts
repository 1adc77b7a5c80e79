import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientDocument } from '@unified/contract';
import { allSystems, createEngine } from '@unified/engine';
import { addSandboxPlatform, seedSandbox } from '@unified/sandbox';
import { createServer } from '@unified/server';
import { addRedirectUri } from '@unified/store';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfiguration } from '../../../scripts/start/configuration.ts';
import { openDatabase } from '../../../scripts/start/open-database.ts';
import { openSandbox } from '../../../scripts/start/sandbox.ts';
import { PageBrowser, sessionOf, tokenIn } from './page-browser.ts';

// Starts a database and seeds a company, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

addSandboxPlatform();

/** A server after its first start, with a small company. */
async function firstStart() {
  const dataDir = await mkdtemp(join(tmpdir(), 'unified-sandbox-'));
  onTestFinished(() => rm(dataDir, { recursive: true, maxRetries: 5 }));
  const database = await openDatabase(readConfiguration([], { DATA_DIR: dataDir }), (error) => {
    throw error;
  });
  onTestFinished(() => database.close());
  await seedSandbox({ url: await database.databaseNamed('sandbox_company'), schema: 'company', workOrders: 200 });
  const { file } = await openSandbox(database, dataDir);
  const { store } = database;
  const log = pino({ level: 'silent' });
  const engine = createEngine({ store, databaseUrl: database.url, log, systems: allSystems });
  onTestFinished(() => engine.close());
  const server = await createServer({ store, engine, logger: log, publicUrl: store.publicUrl, port: 0 });
  onTestFinished(() => server.close());
  return { dataDir, file, store, server };
}

/** The section of the guide on trying the pages. */
function guide(): string {
  const [, text = ''] = (clientDocument().info.description ?? '').split('## Try these pages with the sandbox\n');
  return text.slice(0, text.indexOf('\n## '));
}

/** The values that the guide asks a reader to print from `sandbox.json`, such as `database.url`. */
function documented(): string[] {
  return [
    ...guide().matchAll(
      /^node -p "JSON.parse\(fs.readFileSync\('\$\{DATA_DIR:-.data\}\/sandbox\.json'\)\)\.([\w.]+)"$/gm,
    ),
  ].map(([, path = '']) => path);
}

/** Address and form of the command with which the guide exchanges a code. */
function documentedExchange(code: string): { path: string; form: URLSearchParams } {
  const command = /^ *curl http:\/\/localhost:4000(\S+) (-u .*grant_type=authorization_code[\s\S]*?)\n *```/m;
  const [, path = '', options = ''] = command.exec(clientDocument().info.description ?? '') ?? [];
  const fields = [...options.replace('$CODE', code).matchAll(/(?:-d|--data-urlencode) ["']?(\w+)=([^\s"']+)/g)];
  return {
    path,
    form: new URLSearchParams(Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))),
  };
}

function at(value: unknown, path: string): string {
  return String(path.split('.').reduce((each, name) => (each as Record<string, unknown>)[name], value));
}

test('the sandbox company can be connected on the authorization page with the values that the guide names', async () => {
  vi.stubEnv('ALLOW_PRIVATE_HOSTS', /ALLOW_PRIVATE_HOSTS=(\S+) npm start/.exec(guide())?.[1] ?? '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { dataDir, file, store, server } = await firstStart();
  const path = join(dataDir, 'sandbox.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const stored: unknown = JSON.parse(await readFile(path, 'utf8'));
  const [url = '', schema = ''] = documented().map((each) => at(stored, each));
  const redirect_uri = 'https://portal.northwind.example/callback';
  await addRedirectUri(store.application(file.clientId), file.clientId, redirect_uri);
  const browser = new PageBrowser(server.url);
  const asked = { response_type: 'code', client_id: file.clientId, state: '1', platform: 'sandbox', redirect_uri };
  const page = await browser.open(`/oauth/authorize?${new URLSearchParams(asked)}`);
  expect(page.text).toContain('In sandbox.json of the data directory: database.url.');
  expect(page.text).toContain(schema);
  const session = sessionOf(page);
  const entered = await browser.enter(session, { token: tokenIn(page) }, { url, schema });
  expect(entered.status).toBe(200);
  const checked = await vi.waitFor(
    async () => {
      const shown = await browser.open(session);
      if (shown.text.includes('data-changing')) throw new Error('the check has not ended');
      return shown;
    },
    { timeout: 100_000, interval: 200 },
  );
  expect(checked.text).toContain('to use Sandbox company?');
  expect(checked.text).toContain('First records of your system');
  const form = { token: tokenIn(checked), connectAgain: 'yes' };
  const { location } = await browser.submit(`${session}/allow`, form);
  expect(location).toMatch(/^https:\/\/portal\.northwind\.example\/callback\?code=sac_/);
  const { path: address, form: sent } = documentedExchange(new URL(location ?? '').searchParams.get('code') ?? '');
  const authorization = `Basic ${btoa(`${file.clientId}:${file.clientSecret}`)}`;
  const response = await fetch(`${server.url}${address}`, { method: 'POST', headers: { authorization }, body: sent });
  const { access_token } = (await response.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  for (const read of ['/v4/vendors', '/v4/sync-status'])
    expect((await fetch(`${server.url}${read}`, { headers })).status).toBe(200);
});
