import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { RECORDED_HOST } from './addresses.ts';
import type { Exchange, Recording } from './exchange.ts';

/** Version of the form of the file. */
const VERSION = 1;

/**
 * Writes a recording: one line with its settings, then one line for each exchange. Replaces a file that exists; a new one can be
 * read only by this user, because it contains the rows of the system.
 */
export async function writeRecording(path: string, { exchanges, ...head }: Recording): Promise<void> {
  const lines = [{ recording: VERSION, ...head }, ...exchanges].map((line) => `${JSON.stringify(line)}\n`);
  await pipeline(lines, createWriteStream(path, { mode: 0o600 }));
}

/** Reads a recording. Throws `Error` if the file is not one. */
export async function readRecording(path: string): Promise<Recording> {
  const [first = '', ...rest] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const head = first.startsWith('{"recording":') ? JSON.parse(first) : {};
  if (head.recording !== VERSION) throw new Error(`${path} is not a recording of version ${VERSION}`);
  const { recording: _, ...others } = head;
  const foreign = foreignAddress(others.settings);
  if (foreign !== undefined) throw new Error(`its setting ${foreign} is an address other than that of a recording`);
  return { ...others, exchanges: rest.map((line): Exchange => JSON.parse(line)) };
}

/** The setting with an address that a check would really call; undefined if there is none. */
function foreignAddress(settings: Readonly<Record<string, unknown>> = {}): string | undefined {
  const isForeign = (value: unknown) =>
    typeof value === 'string' &&
    /^[a-z][a-z0-9+.-]*:\/\//i.test(value) &&
    !(URL.canParse(value) && new URL(value).hostname === RECORDED_HOST);
  return Object.entries(settings).find(([, value]) => isForeign(value))?.[0];
}
