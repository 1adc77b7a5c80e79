import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readMultipart } from './multipart.ts';

it('a body that ends before it is read is an error and does not wait forever', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b0\r\nContent-Length: 100\r\n\r\n--b0',
  );
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const closed = new Promise((resolve) => request.once('close', resolve));
  client.destroy();
  await closed;
  await expect(readMultipart(request).next()).rejects.toMatchObject({ code: 'SERVICE_INVALID_BODY' });
});
