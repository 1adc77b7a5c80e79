import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The API that the REST template describes, with 25 suppliers. */
export interface SupplierApi {
  readonly settings: { readonly url: string; readonly token: string; readonly allowPrivateHosts: true };
  close(): Promise<void>;
}

const suppliers = Array.from({ length: 25 }, (_, index) => {
  const id = index + 1;
  return { id, number: `S-${id}`, name: `Supplier ${id}`, contact: { email: `${id}@example.com` } };
});

const TOKEN = 'secret-token';

/** Starts it on its own port. */
export async function startSupplierApi(): Promise<SupplierApi> {
  const server = createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: { url: `http://127.0.0.1:${port}/api`, token: TOKEN, allowPrivateHosts: true },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const { status, body } = responseTo(request);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function responseTo({ url = '', headers }: IncomingMessage): { readonly status: number; readonly body: unknown } {
  const { pathname, searchParams } = new URL(url, 'http://erp.example');
  if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { message: 'Unknown token' } };
  if (pathname === '/api/me') return { status: 200, body: { name: 'Tests' } };
  const id = /^\/api\/suppliers\/(.+)$/.exec(pathname)?.[1];
  if (id !== undefined) {
    const body = suppliers.find((supplier) => String(supplier.id) === id);
    return body ? { status: 200, body } : { status: 404, body: { message: 'Not found' } };
  }
  const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
  return { status: 200, body: { total: suppliers.length, suppliers: suppliers.slice(offset, offset + limit) } };
}
