import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A key of 256 bits, with the id that encrypted texts contain. */
export interface SecretKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** The master key cannot be obtained, or does not belong to this installation. The message contains no key. */
export class MasterKeyError extends Error {}

/** A secret was encrypted with a key that is not available. The message contains no secret. */
export class SecretKeyMissing extends Error {}

/** Where a secret is stored. The secret is bound to that column and row: moved to another row, it cannot be decrypted. */
export interface SecretLocation {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

const LENGTH = 32;

/**
 * The master key of this installation: `given` (base64 or hex of 32 bytes, from `UNIFIED_KEY`), otherwise the file `key` in
 * `directory`, created with mode 0600 if missing. If it is lost, stored settings can no longer be read.
 */
export async function loadKey(given: string | undefined, directory: string): Promise<SecretKey> {
  return given ? parseKey(given, 'UNIFIED_KEY') : keyInFile(join(directory, 'key'));
}

/** The key in a file, which is created with mode 0600 if missing. */
async function keyInFile(file: string): Promise<SecretKey> {
  await mkdir(dirname(file), { recursive: true });
  await makeOnce(file, `${randomBytes(LENGTH).toString('base64')}\n`);
  return readKey(file);
}

/** The key in an existing file. */
export async function readKey(file: string): Promise<SecretKey> {
  return parseKey(await readFile(file, 'utf8'), file);
}

/**
 * Replaces the file `key` in `directory` by a new key, after `prepare` has stored what the new key needs. If this is
 * interrupted, the next call continues with the same new key. Returns the file with the replaced key, `key.<id>`, which earlier
 * backups need.
 */
export async function replaceKeyFile(directory: string, prepare: (next: SecretKey) => Promise<void>): Promise<string> {
  const [file, next] = [join(directory, 'key'), join(directory, 'key.next')];
  await prepare(await keyInFile(next));
  const kept = `${file}.${(await readKey(file)).id}`;
  await linkOnce(file, kept);
  await rename(next, file);
  await syncDirectory(directory);
  return kept;
}

/** Several processes may do this at the same time. The first one wins, and none reads an incomplete file. */
async function makeOnce(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  try {
    await linkOnce(draft, file);
  } finally {
    await rm(draft);
  }
}

/** Gives a file a second name that survives a power failure. An existing file with that name stays as it is. */
async function linkOnce(file: string, name: string): Promise<void> {
  try {
    await link(file, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  await syncDirectory(dirname(name));
}

async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory);
  await handle.sync();
}

/** Parses a key: 32 bytes in base64 or hex. Errors name `origin`, never the text. */
export function parseKey(text: string, origin: string): SecretKey {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (bytes.length === LENGTH) return keyOf(bytes);
  throw new MasterKeyError(`${origin} must be 32 bytes in base64 or hex. Create one with: openssl rand -base64 32`);
}

function keyOf(bytes: Buffer): SecretKey {
  return { id: hash('sha256', bytes, 'hex').slice(0, 8), bytes };
}

/** A new random key. */
export function randomKey(): SecretKey {
  return keyOf(randomBytes(LENGTH));
}

/** The id of the key that a text was encrypted with. */
export function keyIdOf(text: string): string {
  return text.split('.')[1] ?? '';
}

/** Encrypts with AES-256-GCM: `v1.<key id>.<iv>.<text>.<tag>`. */
export function seal(key: SecretKey, location: SecretLocation, secret: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(boundTo(location));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return ['v1', key.id, ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}

/**
 * Decrypts the output of `seal` for the same column and row. Throws when it was changed, moved, or encrypted with
 * another key.
 */
export function unseal(key: SecretKey, location: SecretLocation, text: string): string {
  const [version, keyId, iv = '', sealed = '', tag = ''] = text.split('.');
  if (version !== 'v1')
    throw new Error(`${location.table}.${location.column} is not an encrypted text of this release.`);
  if (keyId !== key.id) {
    throw new SecretKeyMissing(
      `${location.table}.${location.column} was encrypted with key ${keyId}; the key given is ${key.id}. ` +
        'Restore the earlier key, or remove the connection and connect the system again: docs/operations.md#keys.',
    );
  }
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(iv, 'base64url'), { authTagLength: 16 });
  decipher.setAAD(boundTo(location)).setAuthTag(Buffer.from(tag, 'base64url'));
  return decipher.update(Buffer.from(sealed, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
}

function boundTo({ table, column, row }: SecretLocation): Buffer {
  return Buffer.from(`${table}|${column}|${row}`);
}

/**
 * A keyed hash of a secret, 64 hexadecimal digits, by which the secret is found without being decrypted. Each purpose
 * has a key of its own, derived from this key.
 */
export function keyedHash(key: SecretKey, purpose: string, secret: string): string {
  const derived = Buffer.from(hkdfSync('sha256', key.bytes, '', `unified ${purpose}`, LENGTH));
  return createHmac('sha256', derived).update(secret).digest('hex');
}
