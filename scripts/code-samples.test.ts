import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientDocument, type Operation, operations } from '@unified/contract';
import { expect, it, vi } from 'vitest';
import { addCodeSamples } from '../packages/server/src/reference/code-samples.ts';
import type { CodeSample, ReferenceDocument } from '../packages/server/src/reference/reference-document.ts';

// Starts a compiler, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const scratch = fileURLToPath(new URL('../.tmp/', import.meta.url));
const tsc = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')));

const document = structuredClone(clientDocument()) as unknown as ReferenceDocument;
addCodeSamples(document);

/** The sample with this label that the reference shows for an operation. */
function sample(operationId: string, label: 'curl' | 'TypeScript SDK'): string {
  const { path = '', method = 'get' } = operations.find(({ id }) => id === operationId) ?? {};
  const samples: readonly CodeSample[] = document.paths[path]?.[method]?.['x-codeSamples'] ?? [];
  return samples.find((each) => each.label === label)?.source ?? '';
}

/** The client whose token an operation accepts, as a parameter. */
function clientOf({ security }: Operation): string {
  return security.includes('adminToken') ? 'management: ManagementClient' : 'client: Client';
}

it('compiles the client sample of the reference for every operation', async () => {
  const samples = operations.map((operation) => ({ operation, source: sample(operation.id, 'TypeScript SDK') }));
  expect(samples.filter(({ source }) => source === '')).toEqual([]);
  const calls = samples.map(
    ({ operation, source }) => `export async function ${operation.id}(${clientOf(operation)}) {\n${source}\n}`,
  );
  const head =
    "import type { Client } from '@unified/sdk';\nimport type { ManagementClient } from '@unified/sdk/management';";
  await mkdir(scratch, { recursive: true });
  const folder = await mkdtemp(join(scratch, 'samples-'));
  try {
    await writeFile(join(folder, 'samples.ts'), [head, ...calls].join('\n'));
    const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, join(folder, 'samples.ts')], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('calls each operation with curl at its address', () => {
  expect(sample('listVendors', 'curl')).toMatch(/^curl 'http:\/\/localhost:4000\/v4\/vendors\?per_page=20' /);
  expect(sample('authorize', 'curl')).toMatch(
    /^# The browser of the end user opens this address\..*\ncurl -i 'http:\/\/localhost:4000\/oauth\/authorize\?client_id=/,
  );
});

it('names the token that an operation needs', () => {
  expect(sample('listVendors', 'curl')).toContain('"Authorization: Bearer $TOKEN"');
  expect(sample('listClients', 'curl')).toContain('"Authorization: Bearer $ACCESS_TOKEN"');
  expect(sample('issueToken', 'curl')).not.toContain('Authorization');
});

it('sends the cookie of the session to the console, and the header of its pages with changes', () => {
  expect(sample('createConsoleSession', 'curl')).toContain("-c cookies.txt \\\n  -H 'Sec-Fetch-Site: same-origin'");
  expect(sample('getConsoleSession', 'curl')).toMatch(/console\/session' \\\n {2}-b cookies\.txt$/);
  expect(sample('endConsoleSession', 'curl')).toContain("-b cookies.txt \\\n  -H 'Sec-Fetch-Site: same-origin'");
  const ofConsole = operations.filter(({ surface }) => surface === 'console').map(({ id }) => sample(id, 'curl'));
  expect(ofConsole.filter((source) => source.includes('Authorization'))).toEqual([]);
});

it('sends a key with curl to writes that accept one', () => {
  expect(sample('createVendor', 'curl')).toContain('-H "Idempotency-Key: $(date +%s%N)"');
  expect(sample('startSync', 'curl')).not.toContain('Idempotency-Key');
});

it('shows deprecated operations in their separate part of the client', () => {
  expect(sample('listItems', 'TypeScript SDK')).toContain('client.legacy.items.list()');
  expect(sample('putWorkOrderStatus', 'TypeScript SDK')).toContain('client.legacy.PUT(');
});
