import { allSystems, type Systems } from '@unified/engine';
import { addSandboxPlatform } from '@unified/sandbox';
import { addRedirectUri, createApplication } from '@unified/store';
import { type ApiOptions, api as startApi, type TestApi, type TestApplication } from '@unified/testing';
import { pino } from 'pino';
import { startCompany } from '../../sandbox/test/company-database.ts';

/** A server with the pages for end users, and a sandbox company that they can connect. */
interface PageServer {
  readonly api: TestApi;
  readonly system: { readonly url: string };
  /** Lines that the server has logged so far, at all levels. */
  readonly logged: readonly string[];
  /** An application whose client has the redirect URI. */
  newApplication(): Promise<TestApplication>;
  stop(): Promise<void>;
}

/** Entities of the company that end users connect: a check of every stream takes more than a second of CPU time. */
const SHOWN = ['Currency', 'Vendor', 'Item', 'PurchaseOrder', 'WorkOrder'];

/** Every platform; the sandbox company has only the streams of these entities. `connect.test.ts` checks all of its streams. */
function fewStreams(): Systems {
  const whole = allSystems.platformOf('sandbox');
  const mappings = Object.fromEntries(Object.entries(whole.mappings).filter(([entity]) => SHOWN.includes(entity)));
  const names = new Set(Object.values(mappings).map(({ stream }) => stream));
  const sandbox = { ...whole, mappings, streams: whole.streams.filter(({ name }) => names.has(name)) };
  return { ...allSystems, platformOf: (id) => (id === 'sandbox' ? sandbox : allSystems.platformOf(id)) };
}

/** Starts a server that does not limit requests, with these options. */
export async function startPageServer(redirectUri: string, options: ApiOptions = {}): Promise<PageServer> {
  addSandboxPlatform();
  const system = await startCompany();
  const logged: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
  const api = await startApi({
    ...{ systems: fewStreams(), logger },
    limiter: { count: async () => ({ used: 1, reset: 60 }) },
    ...options,
  });
  return {
    ...{ api, system, logged },
    async newApplication() {
      const { id } = await createApplication(api.store, 'Northwind');
      await addRedirectUri(api.store.application(id), id, redirectUri);
      return api.signIn(id);
    },
    async stop() {
      await api.stop();
      await system.stop();
    },
  };
}
