import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { freePort } from '../../store/src/embedded/free-port.ts';

/** A request that a receiver received. */
export interface Received {
  readonly path: string;
  /** `webhook-id` */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The parsed body. */
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };
}

/** A status, or a function that responds itself. */
export type Reply = number | ((response: ServerResponse) => void);

/** An HTTP server that receives events, over real sockets. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: Received[];
  /** How it responds from then on; 204 at first. */
  reply: (request: Received) => Reply;
  /** Closes the receiver; its address refuses connections until `open` is called. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** Starts a receiver, which is closed at the end of the test. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const start = async (port: number) => {
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const { headers, url: path = '' } = request;
      const one = { path, id: String(headers['webhook-id']), headers, body, event: JSON.parse(body) };
      received.push(one);
      const reply = receiver.reply(one);
      if (typeof reply === 'number') response.writeHead(reply).end();
      else reply(response);
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  };
  const port = await freePort();
  let server = await start(port);
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    reply: () => 204,
    async close() {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), 'close');
    },
    async open() {
      server = await start(port);
    },
  };
  onTestFinished(() => receiver.close());
  return receiver;
}
