import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadKey, readKey, replaceKeyFile, seal, unseal } from './secret-key.ts';

const directory = await mkdtemp(join(tmpdir(), 'unified-key-'));
afterAll(() => rm(directory, { recursive: true }));
const place = { table: 'connections', column: 'settings', row: 'r1' };

test('a key is created once, readable only by its owner', async () => {
  const first = await loadKey(undefined, directory);
  const again = await loadKey(undefined, directory);
  expect(again.bytes.equals(first.bytes)).toBe(true);
  expect((await stat(join(directory, 'key'))).mode & 0o777).toBe(0o600);
});

test('a key file is replaced after its successor is prepared, and a repeated call uses the same successor', async () => {
  const folder = await mkdtemp(join(directory, 'replaced-'));
  const previous = await loadKey(undefined, folder);
  const prepared: string[] = [];
  const prepare = async ({ id }: { readonly id: string }) => {
    expect((await loadKey(undefined, folder)).id).toBe(previous.id);
    prepared.push(id);
    if (prepared.length === 1) throw new Error('interrupted');
  };
  await expect(replaceKeyFile(folder, prepare)).rejects.toThrow('interrupted');
  const kept = await replaceKeyFile(folder, prepare);
  expect(kept).toBe(join(folder, `key.${previous.id}`));
  expect((await readKey(kept)).bytes.equals(previous.bytes)).toBe(true);
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  expect(new Set(prepared)).toEqual(new Set([(await loadKey(undefined, folder)).id]));
  expect((await stat(join(folder, 'key'))).mode & 0o777).toBe(0o600);
});

test('a given key must have 32 bytes', async () => {
  await expect(loadKey('short', directory)).rejects.toThrow('UNIFIED_KEY must be 32 bytes');
  const hex = 'ab'.repeat(32);
  expect((await loadKey(hex, directory)).bytes.toString('hex')).toBe(hex);
});

test('a secret can be decrypted only in its own row and with its own key', async () => {
  const key = await loadKey(undefined, directory);
  const text = seal(key, place, 'pass wörd');
  expect(text).not.toContain('pass');
  expect(unseal(key, place, text)).toBe('pass wörd');
  expect(() => unseal(key, { ...place, row: 'r2' }, text)).toThrow();
  const other = await loadKey('cd'.repeat(32), directory);
  expect(() => unseal(other, place, text)).toThrow(`was encrypted with key ${key.id}`);
});

test('a changed byte is detected', async () => {
  const key = await loadKey(undefined, directory);
  const parts = seal(key, place, 'secret').split('.');
  const flipped = Buffer.from(parts[3] ?? '', 'base64url');
  flipped[0] = (flipped[0] ?? 0) ^ 1;
  parts[3] = flipped.toString('base64url');
  expect(() => unseal(key, place, parts.join('.'))).toThrow();
});
