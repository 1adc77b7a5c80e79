// Starts an OData V2 server with business partners, whose description has the names and types of SAP, and a front that checks
// requests as strictly as SAP does.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { strictFront } from './strict-front.ts';

const SERVICE = '/sap/opu/odata/sap/API_BUSINESS_PARTNER';
export const USER = 'API_USER';
export const PASSWORD = 'Wülfrath:1';

/** The parts of the package that are used. `install.sh` installs it; types are checked without it. */
interface MockServerModule {
  readonly default: new (config: {
    readonly services: readonly {
      readonly urlPath: string;
      readonly metadataPath: string;
      readonly mockdataPath: string;
    }[];
  }) => {
    readonly isReady: Promise<void>;
    getRouter(): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  };
}

/** The parts of the running server that tests use. */
export interface BusinessPartners {
  /** Address of the service. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Requests that the front received, `GET A_BusinessPartner`. */
  readonly received: string[];
  /** Behavior of the front, until it is changed. */
  readonly behavior: Behavior;
  stop(): Promise<void>;
}

/** How the front behaves. */
export interface Behavior {
  /** Rows per page. */
  pageSize: number;
  /** Number of next requests that are refused, with `Retry-After: 7`. */
  throttled: number;
  /** Whether decimals are JSON numbers, as with some servers, instead of strings. */
  decimalsAreNumbers: boolean;
  /** Number of creates whose response is lost. */
  lost: number;
  /** Whether another user changes an entity before each change. */
  isContested: boolean;
}

/** Starts both; `edmx` replaces the description of the service. */
export async function startBusinessPartners(
  edmx = new URL('business-partner.edmx', import.meta.url),
): Promise<BusinessPartners> {
  const { default: MockServer } = createRequire(import.meta.url)('@sap-ux/fe-mockserver-core') as MockServerModule;
  const mock = new MockServer({
    services: [
      {
        urlPath: SERVICE,
        metadataPath: fileURLToPath(edmx),
        mockdataPath: fileURLToPath(new URL('data', import.meta.url)),
      },
    ],
  });
  await mock.isReady;
  const router = mock.getRouter();
  const inner = await listening((request, response) => router(request, response, () => response.writeHead(404).end()));
  const behavior: Behavior = { pageSize: 2, throttled: 0, decimalsAreNumbers: false, lost: 0, isContested: false };
  const received: string[] = [];
  const front = await listening(
    strictFront({ service: SERVICE, inner: addressOf(inner), behavior, received, user: USER, password: PASSWORD }),
  );
  return {
    url: `${addressOf(front)}${SERVICE}`,
    user: USER,
    password: PASSWORD,
    received,
    behavior,
    async stop() {
      await Promise.all([front, inner].map(closed));
    },
  };
}

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
