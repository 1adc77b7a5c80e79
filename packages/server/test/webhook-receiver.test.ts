import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientDocument } from '@unified/contract';
import { api as startApi } from '@unified/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../store/src/embedded/free-port.ts';

// Starts a database and a program, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** The receiver from the guide on webhooks. */
function receiver(): string {
  const { description } = clientDocument().info as { readonly description: string };
  const [, code = ''] = /```ts\n([^`]*@unified\/sdk\/webhooks[^`]*)```/.exec(description) ?? [];
  return code;
}

it('the receiver in the guide has at most 20 lines, accepts events and refuses other requests', async () => {
  const code = receiver();
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(20);
  const folder = await mkdtemp(join(fileURLToPath(new URL('.', import.meta.url)), '.receiver-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'receiver.mts'), code);
  const api = await startApi();
  onTestFinished(() => api.stop());
  const { token } = await api.signIn();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const send = (path: string, json?: object) =>
    api.fetch<{ data: { endpoint: { id: string }; secret: string; responseStatus: number } }>(`/v4${path}`, {
      ...{ method: 'POST', token, ...(json && { json }) },
    });
  const { endpoint, secret } = (await send('/webhook-endpoints', { url, events: [] })).body.data;
  const program = spawn(process.execPath, [join(folder, 'receiver.mts')], {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: 'inherit',
  });
  onTestFinished(() => void program.kill());
  const forged = () =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(forged, { interval: 20, timeout: 60_000 }).toBe(400);
  const { body } = await send(`/webhook-endpoints/${endpoint.id}/actions/test`);
  expect(body.data.responseStatus).toBe(204);
});
