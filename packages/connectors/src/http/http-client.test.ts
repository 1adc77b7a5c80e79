import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { client, closeAll, failure, httpServer, rawServer } from '../../test/http-server.ts';
import type { HttpClient } from './http-client.ts';

describe('a server that responds', () => {
  test('receives the request, and its status, headers and body are returned', async () => {
    const url = await httpServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.writeHead(201, { 'X-Kind': 'echo' }).end(`${request.method} ${request.url} ${body}`);
    });
    const request = { method: 'POST', url: new URL('a?b=c', url), body: '{"name":"Ä"}' } as const;
    const answer = await client().send(request);
    expect(answer.status).toBe(201);
    expect(answer.headers['x-kind']).toBe('echo');
    expect(answer.body.toString()).toBe('POST /a?b=c {"name":"Ä"}');
  });

  test('with a redirect is not followed', async () => {
    let followed = false;
    const inside = await httpServer((_request, response) => {
      followed = true;
      response.end();
    });
    const url = await httpServer((_request, response) => response.writeHead(302, { location: inside.href }).end());
    const answer = await client().send({ method: 'GET', url });
    expect(answer.status).toBe(302);
    expect(followed).toBe(false);
  });
});

describe('a request that cannot have had an effect', () => {
  test('was refused by the port', async () => {
    const url = await rawServer(() => undefined);
    await closeAll();
    expect(await failure(client().send({ method: 'GET', url }))).toMatchObject({ reason: 'unreachable', sent: false });
  });

  test('went to a name that does not exist', async () => {
    const url = new URL('http://no-such-host.invalid/');
    expect(await failure(client().send({ method: 'POST', url }))).toMatchObject({ reason: 'unreachable', sent: false });
  });

  test('with a new socket is not affected by sockets that the server has closed', async () => {
    const ports: (number | undefined)[] = [];
    const url = await httpServer((request, response) => {
      ports.push(request.socket.remotePort);
      response.end();
    });
    const one = client({ connections: 1 });
    for (const ownSocket of [false, false, true, true]) await one.send({ method: 'POST', url, ownSocket });
    expect(ports[1]).toBe(ports[0]);
    expect(new Set(ports).size).toBe(3);
  });

  test('was aborted before a socket was free, and is not sent later', async () => {
    const heard: string[] = [];
    const arrived = Promise.withResolvers<void>();
    const url = await httpServer((request, response) => {
      heard.push(request.url ?? '');
      if (request.url === '/second') response.end();
      else arrived.resolve();
    });
    const one = client({ connections: 1 });
    const giveUp = new AbortController();
    const first = failure(one.send({ method: 'POST', url: new URL('first', url), signal: giveUp.signal }));
    await arrived.promise;
    const second = one.send({ method: 'POST', url: new URL('second', url), timeoutMs: 200 });
    expect(await failure(second)).toMatchObject({ reason: 'timeout', sent: false });
    giveUp.abort();
    expect(await first).toMatchObject({ reason: 'aborted', sent: true });
    const third = await client().send({ method: 'GET', url: new URL('second', url) });
    expect(third.status).toBe(200);
    expect(heard).toEqual(['/first', '/second']);
  });
});

describe('a request whose outcome is unknown', () => {
  /**
   * Responds completely to the first request on a socket and calls `begin` for later ones; returns whether it was a
   * later one.
   */
  function answerFirst(socket: Socket, heard: string, begin: string): boolean {
    const isLater = heard.split('HTTP/1.1').length > 2;
    socket.write(isLater ? begin : 'HTTP/1.1 204 No Content\r\n\r\n');
    return isLater;
  }

  /** A client with an open socket: the next request is sent immediately, however short its timeout is. */
  async function connectedTo(url: URL): Promise<HttpClient> {
    const created = client({ connections: 1 });
    await created.send({ method: 'GET', url });
    return created;
  }

  test('got no headers in time', async () => {
    const url = await rawServer((socket, heard) => answerFirst(socket, heard, 'HTTP/1.1 200 OK\r\nX-Slow: '));
    const connected = await connectedTo(url);
    const sending = connected.send({ method: 'POST', url, body: '{}', timeoutMs: 500 });
    expect(await failure(sending)).toMatchObject({ reason: 'timeout', sent: true });
  });

  test('got a body that never ends', async () => {
    const url = await rawServer((socket, heard) => {
      if (!answerFirst(socket, heard, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')) return;
      const drip = setInterval(() => socket.write('1\r\nx\r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    const connected = await connectedTo(url);
    const sending = connected.send({ method: 'GET', url, timeoutMs: 500 });
    expect(await failure(sending)).toMatchObject({ reason: 'timeout', sent: true });
  });

  test('was cut off after it had arrived', async () => {
    const url = await rawServer((socket) => void socket.resetAndDestroy());
    const sending = client().send({ method: 'POST', url, body: '{}' });
    expect(await failure(sending)).toMatchObject({ reason: 'broken', sent: true });
  });

  test('got a response that ends too early', async () => {
    const url = await rawServer((socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":'));
    expect(await failure(client().send({ method: 'POST', url }))).toMatchObject({ reason: 'broken', sent: true });
  });

  test('got bytes that are not HTTP', async () => {
    const url = await rawServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await failure(client().send({ method: 'GET', url }))).toMatchObject({ reason: 'broken', sent: true });
  });

  test('was aborted by its caller', async () => {
    const giveUp = new AbortController();
    const url = await rawServer(() => giveUp.abort());
    const sending = client().send({ method: 'POST', url, signal: giveUp.signal });
    expect(await failure(sending)).toMatchObject({ reason: 'aborted', sent: true });
  });
});

describe('a response that is too long', () => {
  test('is refused by its announced length', async () => {
    const url = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n'));
    const sending = client({ maxBodyBytes: 1000 }).send({ method: 'GET', url });
    expect(await failure(sending)).toMatchObject({ reason: 'too-large', sent: true });
  });

  test('is cut off if its length is not announced', async () => {
    let written = 0;
    const url = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      const flood = () => {
        while (!socket.destroyed && socket.write(chunk)) written += 1;
      };
      socket.on('drain', flood);
      flood();
    });
    const sending = client({ maxBodyBytes: 1024 * 1024 }).send({ method: 'GET', url });
    expect(await failure(sending)).toMatchObject({ reason: 'too-large', sent: true });
    expect(written).toBeLessThan(1000);
  });
});
