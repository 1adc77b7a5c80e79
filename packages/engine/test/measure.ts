/**
 * Prints the costs of the engine: a write from acceptance to its outcome, without the connected system's own time, and a sync
 * in rows per second. Run with `node packages/engine/test/measure.ts [writes] [rows]`; PostgreSQL runs with fsync.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CompiledMapping,
  type Driver,
  noCustomFields,
  type Platform,
  type RawRow,
  type Row,
} from '@unified/connectors';
import { entities } from '@unified/contract';
import { createApplication, createConnection, loadKey, migrate, openStore, startEmbedded } from '@unified/store';
import { pino } from 'pino';
import { createEngine, type Systems, startWorker } from '../src/index.ts';
import { platform as faulty } from './faulty-platform.ts';

const [writes = 400, rows = 40_000] = process.argv.slice(2).map(Number);

const plain = entities.Vendor.fields.filter(
  ({ kind, name }) => !name.startsWith('_') && name !== 'id' && !kind.startsWith('relation'),
);
const samples: Record<string, (n: number) => unknown> = {
  text: (n) => `text number ${n}`,
  number: (n) => n / 4,
  integer: (n) => n,
  boolean: (n) => n % 2 === 0,
  date: () => '2026-11-20',
  datetime: () => '2026-11-20T09:30:00.000Z',
  texts: () => [],
};
const rowOf = (n: number, salt: string): Row => ({
  ...Object.fromEntries(plain.map(({ name, kind }) => [name, samples[kind]?.(n) ?? null])),
  name: `Vendor ${n}${salt}`,
  code: `V${n}`,
});

const stored = new Map<string, Row>();
let systemMs = 0;
let salt = '';

/** A system that responds from memory, after a short delay. */
const driver: Driver = {
  settleAfterMs: 100,
  check: async () => {},
  async pull({ from, limit, stream }) {
    const start = Number(from ?? 0);
    const page = Array.from(
      { length: Math.min(limit, rows - start) },
      (_, n): RawRow => ({ key: String(start + n), row: rowOf(start + n, salt) }),
    );
    return { rows: page, next: start + stream.pageSize < rows ? start + stream.pageSize : null };
  },
  read: (_stream, key) => timed(async () => stored.get(key) ?? null),
  writes: {
    positionBeforeCreate: () => timed(async () => null),
    create: (_stream, values) =>
      timed(async () => {
        const key = String(1_000_000 + stored.size);
        stored.set(key, values);
        return { key };
      }),
    findCreated: async () => null,
    update: async () => {},
    remove: async () => {},
  },
  close: async () => {},
};

async function timed<T>(work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 2));
  const result = await work();
  systemMs += performance.now() - begin;
  return result;
}

const mapping: CompiledMapping = {
  entity: 'Vendor',
  stream: 'rows',
  definition: { entity: 'Vendor', stream: 'rows', fields: {} },
  fields: plain.map(({ name }) => name),
  writable: plain.map(({ name }) => name),
  paths: [],
  written: [],
  allowedValues: {},
  customFields: noCustomFields,
  references: [],
  touches: [],
  writes: new Set(['create']),
  actions: {},
  parts: { definitions: () => new Map(), reading: () => () => null },
  hash: '1',
  read: ({ key, row }) => ({
    _source: 'rows',
    _idValue: key,
    values: { ...row, _displayValue: row.name, _createdAt: '2026-01-01T00:00:00Z', _updatedAt: '2026-01-01T00:00:00Z' },
    references: {},
  }),
  write: (values) => ({ values, unsupported: [] }),
};
const platform: Platform = {
  ...faulty,
  streams: faulty.streams.map((stream) => ({ ...stream, pageSize: 1000 })),
  mappings: { Vendor: mapping },
};
const systems: Systems = { platformOf: () => platform, openDriver: () => driver };

const directory = await mkdtemp(join(tmpdir(), 'unified-measure-'));
const server = await startEmbedded({ dataDir: directory });
const databaseUrl = server.url;
const key = await loadKey(undefined, directory);
const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities, key });
await migrate(store);
const log = pino({ level: 'warn' });
const engine = createEngine({ store, databaseUrl, log, systems });
const { id: applicationId } = await createApplication(store, 'Measure');
const connection = await createConnection(store, { applicationId, platform: 'memory', name: 'Measure', settings: {} });
const scope = store.scope({ applicationId, connectionId: connection.id });

const worker = await startWorker({ store, databaseUrl, log, systems });
console.log(`sync of ${plain.length + 9} fields: first ${await syncRate()} rows/s`);
console.log(`unchanged ${await syncRate()} rows/s`);
salt = '!';
console.log(`changed ${await syncRate()} rows/s`);

const beyond: number[] = [];
for (let n = 0; n < writes + 20; n += 1) {
  systemMs = 0;
  const begin = performance.now();
  const input = { name: `New ${n}`, code: `N${n}` };
  const { writeId } = await engine.submitWrite(scope, {
    operation: 'createVendor',
    entity: 'Vendor',
    op: 'create',
    input,
  });
  const accepted = performance.now();
  const { status } = await engine.waitForWrite(scope, writeId, 10_000);
  if (status !== 'succeeded') throw new Error(`A write is ${status}.`);
  if (n >= 20) beyond.push(performance.now() - accepted - systemMs);
  if (n === writes) console.log(`last accept took ${(accepted - begin).toFixed(1)} ms`);
}
beyond.sort((a, b) => a - b);
const at = (share: number) => beyond[Math.floor(beyond.length * share)]?.toFixed(1);
console.log(
  `accepted to settled beyond the system's own time: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${writes} writes)`,
);

await worker.stop();
await engine.close();
await store.close();
await server.stop();
await rm(directory, { recursive: true });

/** Runs a full sync and returns the rate in rows per second. */
async function syncRate(): Promise<number> {
  const last = async () => (await engine.syncStatus(scope))[0];
  // The previous run still has to release its lock.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = (await last())?.lastSuccessAt;
  const begin = performance.now();
  await engine.requestSync(connection.id, 'full');
  for (;;) {
    const now = await last();
    if (now?.lastSuccessAt && now.lastSuccessAt !== before && now.runningSince === null) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return Math.round(rows / ((performance.now() - begin) / 1000));
}
