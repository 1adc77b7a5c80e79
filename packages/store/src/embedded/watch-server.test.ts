import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { identityOf } from './postmaster.ts';
import type { Running } from './running-server.ts';
import { watchServer } from './watch-server.ts';

afterEach(() => void vi.useRealTimers());

/** A process that takes the place of the server. */
async function started() {
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const running: Running = { pid, identity: identityOf(pid) ?? '', port: 1 };
  const end = async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { running, end };
}

test('a server whose process has ended is started again within five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [first, second] = [await started(), await started()];
  const bringUp = vi.fn(async () => second.running);
  const watched = watchServer(first.running, bringUp, () => {});
  vi.advanceTimersByTime(5_000);
  expect(bringUp).not.toHaveBeenCalled();
  await first.end();
  vi.advanceTimersByTime(5_000);
  expect(bringUp).toHaveBeenCalledOnce();
  await watched.release();
  expect(watched.current()).toBe(second.running);
  await second.end();
});

test('a failed start is retried, and each cause is reported once', async () => {
  const [first, second] = [await started(), await started()];
  const full = 'The disk is full.\nLOG: at one time';
  const lines: string[] = [];
  const bringUp = vi
    .fn<() => Promise<Running>>()
    .mockRejectedValueOnce(new Error(full))
    .mockRejectedValueOnce(new Error(full.replace('one', 'another')))
    .mockResolvedValue(second.running);
  const watched = watchServer(first.running, bringUp, (line) => lines.push(line));
  await first.end();
  await expect.poll(() => watched.current(), { timeout: 60_000 }).toBe(second.running);
  expect(lines).toEqual([
    'PostgreSQL has ended: restarting it',
    `PostgreSQL cannot be restarted yet. ${full}`,
    'PostgreSQL is running again',
  ]);
  await watched.release();
  await second.end();
});
