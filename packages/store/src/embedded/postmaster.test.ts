import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { identityOf } from './postmaster.ts';

test('a process has the same identity as long as it runs, and none when it has ended', async () => {
  const child = spawn('cat');
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const identity = identityOf(pid);
  expect(identity).toContain(String(pid));
  expect(identityOf(pid)).toBe(identity);
  child.stdin.end();
  await once(child, 'exit');
  expect(identityOf(pid)).toBe(null);
});

test.skipIf(!existsSync('/proc/self/stat'))('a zombie has ended', async () => {
  const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'inherit', 'pipe'] });
  const [stdin, stdout, , held] = parent.stdio;
  if (!stdin || !stdout || !held) throw new Error('The shell has no pipes.');
  const [line] = await once(stdout.setEncoding('utf8'), 'data');
  // The shell would reap the zombie, so it is replaced by another program, which prints this.
  stdin.write('replaced');
  await once(stdout, 'data');
  const zombie = Number(line);
  expect(identityOf(zombie)).not.toBe(null);
  held.destroy();
  await expect.poll(() => identityOf(zombie)).toBe(null);
  expect(process.kill(zombie, 0)).toBe(true);
  stdin.end();
  await once(parent, 'exit');
});
