import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TestApi } from '../src/index.ts';

/** Every row of every table, as text. Read as the superuser, from whom no row is hidden. */
export async function databaseDump({ url: databaseUrl, dataDir }: TestApi): Promise<string> {
  const url = new URL(databaseUrl);
  Object.assign(url, { username: 'postgres', password: await superuserPassword(dataDir) });
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    let dump = '';
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(`select to_json(t)::text as text from ${name} t`);
      dump += rows.map(({ text }) => `${name} ${text}\n`).join('');
    }
    return dump;
  } finally {
    await client.end();
  }
}

/** The password of the superuser of the embedded database, which is a secret as well. */
export async function superuserPassword(dataDir: string): Promise<string> {
  return JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')).password;
}

/**
 * The lines of a text that contain a secret: as plain text, in hexadecimal (as in columns of bytes), or as a part of Base64.
 */
export function linesWith(secret: string, text: string): string[] {
  const bytes = Buffer.from(secret);
  // Bytes before the secret shift its Base64 by 0, 1 or 2; the characters at its ends depend on its neighbors.
  const shifted = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return encoded.slice(before + 1, -4);
  });
  const forms = [secret, encodeURIComponent(secret), bytes.toString('hex'), ...shifted];
  const all = [...forms, ...shifted.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
  return text.split('\n').filter((line) => all.some((form) => line.includes(form)));
}
