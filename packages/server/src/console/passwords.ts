import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '@unified/contract';

/**
 * Cost of a hash: 16 MB and about a quarter of a second. OWASP lists these parameters as equal in strength to N = 2^17 with p =
 * 1, which needs 128 MB.
 */
const COST = { ln: 14, r: 8, p: 5 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Hashes that are computed at a time; others wait. More would use up the threads that also read files. */
const AT_ONCE = 2;
/** Hashes that may wait: five seconds of work. Others are refused, so that requests cannot delay every sign-in without limit. */
const MOST_WAITING = 20;

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22})\$([\w+/]{43})$/;

/** The hash of a password as a PHC string, with its parameters and salt. Throws `SERVICE_UNAVAILABLE` if too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const { ln, r, p } = COST;
  const key = await derived(password, salt, COST);
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(key)}`;
}

/**
 * Whether a password matches a stored hash. Throws `SERVICE_UNAVAILABLE` if too many wait. Without a hash, it takes the same time
 * and returns false, so that the time does not reveal whether there is one.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, ln, r, p, salt = '', key = ''] = STORED.exec(stored ?? (await decoy())) ?? [];
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const found = await derived(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(found, Buffer.from(key, 'base64')) && stored !== null;
}

let hashOfNothing: Promise<string> | undefined;

/** A hash that belongs to no operator. */
function decoy(): Promise<string> {
  hashOfNothing ??= hashPassword(randomBytes(KEY_BYTES).toString('base64')).catch((error: unknown) => {
    hashOfNothing = undefined;
    throw error;
  });
  return hashOfNothing;
}

let running = 0;
const waiting: (() => void)[] = [];

async function derived(password: string, salt: Buffer, { ln, r, p }: { ln: number; r: number; p: number }) {
  if (waiting.length >= MOST_WAITING) throw busy();
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await scrypted(password, salt, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function busy(): ServiceError {
  const message = 'Too many people sign in at the moment. Retry.';
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 1 });
}

/** Unicode has several forms of the same characters, which keyboards mix. */
function scrypted(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
