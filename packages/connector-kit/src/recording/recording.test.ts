import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPlatform, type Platform, platformOf } from '@unified/connectors';
import { expect, test, vi } from 'vitest';
import { startBusinessCentral } from '../../../connectors/test/documented/business-central/server.ts';
import { startErpNext } from '../../../connectors/test/documented/erpnext/server.ts';
import { startQuickBooks } from '../../../connectors/test/documented/quickbooks-online/server.ts';
import { checkRecording, recordSystem } from '../../test/recorded-system.ts';
import { startSupplierApi } from '../../test/supplier-api.ts';
import type { Settings } from '../system-under-test.ts';
import type { Recording } from './exchange.ts';
import { startRecorder } from './recorder.ts';
import { readRecording, writeRecording } from './recording-file.ts';
import { startReplay } from './replay.ts';

vi.setConfig({ testTimeout: 120_000 });

const restPlatform = loadPlatform(fileURLToPath(new URL('../../templates/rest', import.meta.url)));

interface Running {
  readonly platform: Platform;
  readonly settings: Settings;
  stop(): Promise<void>;
}

async function suppliers(): Promise<Running> {
  const { settings, close } = await startSupplierApi();
  return { platform: restPlatform, settings, stop: close };
}

/** Records a system, stops it, and returns what was recorded. */
async function recorded(start: () => Promise<Running>) {
  const { platform, settings, stop } = await start();
  const { report, recording } = await recordSystem(platform, settings).finally(stop);
  return { platform, settings, report, recording };
}

const started = (id: string, start: () => Promise<Omit<Running, 'platform'>>) => async () => ({
  platform: platformOf(id),
  ...(await start()),
});

test.each([
  { name: 'a REST API with a token', start: suppliers },
  {
    name: 'an OData service with client credentials',
    start: started('business-central', startBusinessCentral),
  },
  { name: 'a REST API with tokens that are renewed', start: started('quickbooks-online', startQuickBooks) },
  { name: 'a REST API with a key and a secret', start: started('erpnext', startErpNext) },
])('$name: all checks have the same outcome without the system, and no secret is recorded', async ({ start }) => {
  const { platform, settings, report, recording } = await recorded(start);
  const again = await checkRecording(platform, recording);
  expect(again.unknown).toEqual([]);
  expect(again.report).toEqual(report);
  expect(report.results.find(({ check }) => check.name === 'refused-credentials')?.outcome.result).toBe('passed');
  const text = JSON.stringify(recording);
  for (const name of platform.secrets) if (settings[name]) expect(text).not.toContain(String(settings[name]));
  expect(text).not.toMatch(/authorization|127\.0\.0\.1/i);
});

test('passes through faults find the same rows without the system', async () => {
  const { platform, recording } = await recorded(suppliers);
  const { report, unknown } = await checkRecording(platform, recording, { passes: 3 });
  expect(unknown).toEqual([]);
  expect(report.results.at(-1)).toMatchObject({ check: { name: 'survived-faults' }, outcome: { result: 'passed' } });
});

test('a file contains the recording', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  const path = join(folder, 'suppliers.jsonl');
  const { recording } = await recorded(suppliers);
  await writeRecording(path, recording);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await readRecording(path)).toEqual(recording);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(recording.exchanges.length + 1);
  await expect(readRecording(fileURLToPath(import.meta.url))).rejects.toThrow('is not a recording');
  rmSync(folder, { recursive: true });
});

test('a request that was not recorded is refused and named', async () => {
  const { recording } = await recorded(suppliers);
  const replay = await startReplay(recording);
  const response = await fetch(`${replay.settings.url}/invoices`);
  expect(response.status).toBe(501);
  expect(replay.unknown).toEqual(new Set(['GET /api/invoices']));
  await replay.close();
});

test('a system that is not called over HTTP is not recorded', async () => {
  expect(await startRecorder(restPlatform, { url: 'postgres://erp.example/erp' })).toBeNull();
});

test('the recording is limited to the headers that the platform reads', async () => {
  const { recording } = await recorded(suppliers);
  const names = new Set(
    recording.exchanges.flatMap(({ response }: Recording['exchanges'][number]) => Object.keys(response.headers)),
  );
  expect([...names].sort()).toEqual(['content-type', 'date']);
});

test('a recording with the address of a real server is not used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  const path = join(folder, 'erp.jsonl');
  const recordingTo = (url: string) => ({
    platform: 'x',
    recordedOn: '2026-11-26',
    rows: 1,
    settings: { url },
    exchanges: [],
  });
  await writeRecording(path, recordingTo('http://recorded.invalid/api'));
  expect(await readRecording(path)).toMatchObject({ platform: 'x' });
  await writeRecording(path, recordingTo('http://10.0.0.5/api'));
  await expect(readRecording(path)).rejects.toThrow('setting url');
  rmSync(folder, { recursive: true });
});
