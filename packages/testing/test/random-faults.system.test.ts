import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultyJobs, type FaultyService, jobsOf, startFaultyService } from './random-faults.ts';
import { START_MS } from './stack.ts';

/** FAULTS sets their number, FAULT_SEED their sequence. */
const FAULTS = Number(process.env.FAULTS ?? 300);
const seed = Number(process.env.FAULT_SEED ?? 20261126);

/** Connections that work at the same time, because they mostly wait. */
const CONNECTIONS = 10;

let service: FaultyService;

beforeAll(async () => {
  service = await startFaultyService(Array.from({ length: CONNECTIONS }, (_, index) => seed + index));
}, START_MS);

afterAll(() => service?.stop());

test(`${FAULTS} random faults during syncs and writes lose and double nothing, and delete nothing falsely`, {
  timeout: 900_000,
}, async () => {
  const began = Date.now();
  const share = Math.ceil(FAULTS / CONNECTIONS);
  const rounds = await Promise.all(service.connections.map((jobs) => jobs.work(share)));
  const injected = service.connections.flatMap(({ plan }) => plan.injected);
  const requested = service.connections.flatMap((jobs) => jobs.requested);
  const seconds = Math.round((Date.now() - began) / 1000);
  const counts = [...Map.groupBy(injected, (fault) => fault)].map(([fault, all]) => `${all.length} ${fault}`).sort();
  const sum = rounds.reduce((one, other) => one + other);
  const succeeded = requested.filter(({ write }) => write.status === 'succeeded').length;
  const written = `${succeeded} of ${requested.length} writes succeeded`;
  console.log(`Seed ${seed}: ${injected.length} faults in ${sum} rounds and ${seconds} s (${counts}); ${written}.`);
  expect(injected.length).toBeGreaterThanOrEqual(FAULTS);
  for (const jobs of service.connections) await expectNothingLost(jobs);
});

async function expectNothingLost(jobs: FaultyJobs): Promise<void> {
  const { system, requested, removed } = jobs;
  const succeeded = requested.filter(({ write }) => write.status === 'succeeded');

  // A write fails only if its job was removed in the system, or a create if its response has no key and the system does not
  // list it: it is not sent again, because that is not certain. The comparison of creates below proves that it was not carried out.
  const failed = requested.filter((each) => !succeeded.includes(each));
  const reasons = failed.map(({ kind, key, write }) => ({ kind, key, error: write.error }));
  const isExplained = ({ kind, error, key }: (typeof reasons)[number]) =>
    (error?.code === 'SERVICE_RECORD_DELETED' && !system.jobs.has(Number(key))) ||
    (error?.code === 'SERVICE_OUTCOME_UNKNOWN' &&
      kind === 'create' &&
      /responded to the create .*without the key of a new record/.test(error.message));
  expect(reasons.filter((each) => !isExplained(each))).toEqual([]);
  expect(succeeded.length).toBeGreaterThan(requested.length / 2);

  // Every create is there once, every update that succeeded took effect, and none that failed did.
  const made = system.history.filter(({ ref, version }) => ref !== null && version === 1);
  const creates = succeeded.filter(({ kind }) => kind === 'create').map(({ text }) => text);
  expect(made.map(({ name }) => name).sort()).toEqual(creates.toSorted());
  for (const { key, text, write } of requested.filter(({ kind }) => kind === 'update')) {
    const versions = system.history.filter(({ id, notes }) => String(id) === key && notes === text);
    expect(versions.length > 0, `${write.status} update of job ${key}: ${text}`).toBe(write.status === 'succeeded');
  }

  // The change log reports the deletes that happened, each once, and no others. No job was created twice.
  const deletes = succeeded.filter(({ kind }) => kind === 'delete').map(({ key }) => key);
  const listed = await jobs.listedAtTheEnd();
  const reported = await jobs.reported('deleted');
  const created = await jobs.reported('created');
  expect(deletes.filter((key) => system.jobs.has(Number(key)))).toEqual([]);
  expect(reported.filter((key) => !removed.has(key) && !deletes.includes(key))).toEqual([]);
  expect(new Set(reported).size).toBe(reported.length);
  expect(new Set(created).size).toBe(created.length);

  expect(listed).toEqual(jobsOf(system));
}
