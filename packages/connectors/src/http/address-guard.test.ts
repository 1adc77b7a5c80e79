import { describe, expect, test } from 'vitest';
import { client, failure, httpServer } from '../../test/http-server.ts';
import { parsePrivateHosts } from './private-hosts.ts';

describe('an address inside the network', () => {
  const forms = [
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[::]/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://169.254.169.254/',
    'http://[fd00::1]/',
    'http://localhost/',
    'http://192.0.2.1/',
  ];
  test.each(forms)('is not called by default: %s', async (href) => {
    const sending = client({ allowPrivate: false }).send({ method: 'GET', url: new URL(href) });
    expect(await failure(sending)).toMatchObject({ reason: 'forbidden', sent: false });
  });

  test('is not reached through a name that resolves to it', async () => {
    let called = false;
    const url = await httpServer((_request, response) => {
      called = true;
      response.end();
    });
    const sending = client({ allowPrivate: false }).send({
      method: 'GET',
      url: new URL(`http://localhost:${url.port}`),
    });
    expect(await failure(sending)).toMatchObject({ reason: 'forbidden', sent: false });
    expect(called).toBe(false);
  });

  test.each(['127.0.0.0/8, ::1', '*', 'localhost'])('is called when the operator lists %s', async (list) => {
    const url = await httpServer((_request, response) => response.end('inside'));
    const open = client({ allowPrivate: false, privateHosts: parsePrivateHosts(list) });
    const answer = await open.send({ method: 'GET', url: new URL(`http://localhost:${url.port}`) });
    expect(answer.body.toString()).toBe('inside');
  });

  test('of the cloud machine stays closed to a connection that may call private hosts', async () => {
    const sending = client({ allowPrivate: true }).send({ method: 'GET', url: new URL('http://169.254.169.254/') });
    expect(await failure(sending)).toMatchObject({ reason: 'forbidden', sent: false });
  });
});

test.each(['file:///etc/passwd', 'ftp://example.com/', 'http://user:secret@example.com/'])(
  '%s is not called',
  async (href) => {
    expect(await failure(client().send({ method: 'GET', url: new URL(href) }))).toMatchObject({ reason: 'forbidden' });
  },
);
