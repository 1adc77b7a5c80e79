import { describe, expect, test } from 'vitest';
import { client, failure, httpServer } from '../../test/http-server.ts';
import { isFailedAddress, mayCall } from './address-guard.ts';
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
    'http://[::127.0.0.1]/',
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

  test('is refused with the ways to allow it', async () => {
    const sending = client({ allowPrivate: false }).send({ method: 'GET', url: new URL('http://10.0.0.5/') });
    const refusal = await failure(sending);
    expect(isFailedAddress(refusal)).toBe(true);
    expect(refusal.message).toMatch(
      /10\.0\.0\.5 is not a public address\. Allow it with the setting allowPrivateHosts .* or ALLOW_PRIVATE_HOSTS/,
    );
  });

  test('is not called through a name that resolves to it', async () => {
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

  test('of the cloud metadata service is refused even if the connection may call private hosts', async () => {
    const sending = client({ allowPrivate: true }).send({ method: 'GET', url: new URL('http://169.254.169.254/') });
    expect(await failure(sending)).toMatchObject({ reason: 'forbidden', sent: false });
  });
});

describe('an address of this machine or a private network is private in every spelling', () => {
  const rules = { allowPrivate: false, privateHosts: parsePrivateHosts(undefined) };
  test.each([
    ['IPv4-compatible', ['::127.0.0.1', '::7f00:1', '0:0:0:0:0:0:7f00:1', '::a00:1', '::a9fe:a9fe']],
    ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254']],
    ['IPv4-translated', ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1', '::ffff:0:0:7f00:1']],
    ['NAT64', ['64:ff9b::7f00:1', '64:ff9b:1::a00:1', '64:ff9b:1:ffff::7f00:1']],
    ['6to4 and Teredo', ['2002:7f00:1::', '2002:a00:1::1', '2001:0:4136:e378:8000:63bf:80ff:fffe']],
    ['of the local link or site', ['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd00::1']],
    ['of an unassigned network', ['1::1', '100::1', '4000::1', '5f00::1', '2001:db8::1', '3fff::1', 'ff02::1']],
    ['IPv4', ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '0.1.2.3', '240.0.0.1']],
  ])('%s', (_, addresses) => {
    for (const address of addresses) expect([address, mayCall(address, address, rules)]).toEqual([address, false]);
  });

  test('a public address is not private', () => {
    for (const address of ['93.184.215.14', '2606:4700::1111', '2a01:4f8::1', '::ffff:93.184.215.14'])
      expect([address, mayCall(address, address, rules)]).toEqual([address, true]);
  });
});

test.each(['file:///etc/passwd', 'ftp://example.com/', 'http://user:secret@example.com/'])(
  '%s is not called',
  async (href) => {
    const refusal = await failure(client().send({ method: 'GET', url: new URL(href) }));
    expect(refusal).toMatchObject({ reason: 'forbidden', sent: false });
    expect(isFailedAddress(refusal)).toBe(false);
  },
);
