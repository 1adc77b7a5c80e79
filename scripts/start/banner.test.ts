import { expect, test } from 'vitest';
import { banner } from './banner.ts';
import { isOpen, readConfiguration } from './configuration.ts';

const publicUrl = 'http://localhost:4000';
const sandbox = { token: 'sct_secret', file: '/var/lib/unified/sandbox.json' };

test('only this machine reaches the server by default', () => {
  const { host } = readConfiguration([], {});
  expect(host).toBe('127.0.0.1');
  expect(isOpen(host)).toBe(false);
});

test.each(['127.0.0.1', '127.0.1.1', '::1', 'localhost'])('on %s the printed command works', (host) => {
  const text = banner({ publicUrl, host, port: 4000, isOpen: isOpen(host), sandbox, isConnected: true });
  expect(text).toContain(`curl -sS -H 'Authorization: Bearer sct_secret' '${publicUrl}/v4/vendors?per_page=3'`);
  expect(text).toContain('The token is also `connections[0].token` in /var/lib/unified/sandbox.json.');
  expect(text).not.toContain('Other machines');
});

test.each(['0.0.0.0', '::', '192.168.1.7', 'erp.example'])('on %s the token of the sandbox is not printed', (host) => {
  const text = banner({ publicUrl, host, port: 4000, isOpen: isOpen(host), sandbox, isConnected: true });
  expect(text).not.toContain('sct_secret');
  expect(text).toContain('TOKEN is `connections[0].token` in /var/lib/unified/sandbox.json.');
  expect(text).toContain('Other machines can reach this server');
});

test('without a sandbox it explains how to connect a system, and still reports who can reach the server', () => {
  const text = banner({ publicUrl, host: '0.0.0.0', port: 4000, isOpen: true, sandbox: undefined, isConnected: false });
  expect(text).toContain('Connect a system next: npm run connect');
  expect(text).toContain('Other machines');
});

test('once a system is connected, it names the command that lists them', () => {
  const text = banner({
    publicUrl,
    host: '127.0.0.1',
    port: 4000,
    isOpen: false,
    sandbox: undefined,
    isConnected: true,
  });
  expect(text).toContain('npm run connect -- list');
  expect(text).not.toContain('Connect a system next');
});

test('behind another address it prints where it listens, and the printed command works without a proxy', () => {
  const text = banner({
    publicUrl: 'https://api.example.com/erp',
    host: '::1',
    port: 4710,
    isOpen: false,
    sandbox,
    isConnected: true,
  });
  expect(text).toContain('API         https://api.example.com/erp/v4\n');
  expect(text).toContain('Listening   ::1, port 4710\n');
  expect(text).toContain(`'http://localhost:4710/erp/v4/vendors?per_page=3'`);
});

test('the link for the first operator of the console is printed until there is one', () => {
  const ready = { publicUrl, host: '127.0.0.1', port: 4000, isOpen: false, sandbox, isConnected: true };
  const link = `${publicUrl}/console/first-sign-in#sol_secret`;
  expect(banner({ ...ready, firstOperator: link })).toContain(`\n  ${link}\n`);
  expect(banner(ready)).not.toContain('first-sign-in');
});
