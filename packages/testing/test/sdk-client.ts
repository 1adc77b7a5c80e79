import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from '@unified/sdk';
import { checkAgainstDocument, operationAt } from '@unified/testing';

const sdk = new URL('../../sdk/', import.meta.url);

/** The client as it is published. Every response is compared with the document, and the client does not retry. */
export async function sdkClient(baseUrl: string, token: string): Promise<Client> {
  await buildUnlessThere();
  const { createClient } = await import('@unified/sdk');
  return createClient({ baseUrl, token, fetch: checked, retries: 0 });
}

/** Builds the client unless it is already built, as in a fresh checkout. */
export async function buildUnlessThere(): Promise<void> {
  if (existsSync(new URL('dist/index.js', sdk))) return;
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('build/build.ts', sdk))]);
}

async function checked(request: Request): Promise<Response> {
  const { method, url } = request;
  const response = await fetch(request);
  const isStream = response.headers.get('Content-Type') === 'text/event-stream';
  const text = isStream ? '' : await response.clone().text();
  checkAgainstDocument(operationAt(method, new URL(url).pathname), response, text, { isHead: method === 'HEAD' });
  return response;
}
