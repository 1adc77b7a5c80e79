import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type FaultySystem, startFaultySystem } from '@unified/engine/testing/faulty-system';
import { systems } from '@unified/engine/testing/order-keeping-system';
import { api as startApi, type TestApi } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../../test-systems/mcp/', import.meta.url));

let api: TestApi;
let system: FaultySystem;
let front: Server;
let publicUrl: string;

beforeAll(async () => {
  system = await startFaultySystem();
  const sent = { to: '', token: '' };
  front = await startFront(sent);
  publicUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  api = await startApi({ systems, publicUrl, rateLimits: { mcp: 1_000_000 } });
  const { token } = await api.mcpUser({ platform: 'faulty', settings: { url: system.url } });
  Object.assign(sent, { to: api.baseUrl, token });
});
afterAll(async () => {
  front.closeAllConnections();
  front.close();
  await api.stop();
  await system.close();
});

/** A proxy that adds the token: the suite sends none. */
async function startFront(sent: { readonly to: string; readonly token: string }): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${sent.token}` };
    const forwarded = request(new URL(incoming.url ?? '/', sent.to), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/**
 * Runs all scenarios that a version of the protocol requires. Fails for one that is not expected to, and for one that is, but
 * passes.
 */
function runSuite(revision: string): Promise<{ readonly code: number; readonly output: string }> {
  const cli = `${FOLDER}node_modules/@modelcontextprotocol/conformance/dist/index.js`;
  const options = [
    '--url',
    `${publicUrl}/mcp`,
    '--requirements',
    revision,
    '--expected-failures',
    `${FOLDER}expected-failures-${revision}.yaml`,
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, 'server', ...options], { maxBuffer: 64_000_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
}

describe('the conformance suite of the Model Context Protocol', () => {
  it.each(['2026-07-28', '2025-11-25'])('has no unexpected result for version %s', async (revision) => {
    const { code, output } = await runSuite(revision);
    expect(code, output.slice(output.indexOf('=== SUMMARY'))).toBe(0);
  });
});
