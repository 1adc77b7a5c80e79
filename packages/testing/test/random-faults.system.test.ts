import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultyJobs, jobsOf, startFaultyJobs } from './random-faults.ts';
import { START_MS } from './stack.ts';

/** FAULTS sets their number, FAULT_SEED their sequence. */
const FAULTS = Number(process.env.FAULTS ?? 300);
const seed = Number(process.env.FAULT_SEED ?? 20261126);

let jobs: FaultyJobs;

beforeAll(async () => {
  jobs = await startFaultyJobs(seed);
}, START_MS);

afterAll(() => jobs?.stop());

test(`${FAULTS} random faults during syncs and writes lose and double nothing, and delete nothing falsely`, {
  timeout: 1_800_000,
}, async () => {
  const began = Date.now();
  const rounds = await jobs.work(FAULTS);
  const { system, requested, removed } = jobs;
  const succeeded = requested.filter(({ write }) => write.status === 'succeeded');
  const seconds = Math.round((Date.now() - began) / 1000);
  const written = `${succeeded.length} of ${requested.length} writes succeeded`;
  console.log(`seed ${seed}: ${FAULTS} faults in ${rounds} rounds and ${seconds} s; ${written}`);

  // A write fails only if someone removed or changed the job in the system, or if a web page came instead of a row.
  const failed = requested.filter((each) => !succeeded.includes(each));
  const reasons = failed.map(({ kind, key, write }) => ({ kind, key, code: write.error?.code }));
  const isExplained = ({ code, key }: (typeof reasons)[number]) =>
    code === 'SERVICE_RECORD_DELETED'
      ? !system.jobs.has(Number(key))
      : code === 'SERVICE_CONFLICT' || code === 'SERVICE_SYSTEM_INVALID';
  expect(reasons.filter((each) => !isExplained(each))).toEqual([]);
  expect(succeeded.length).toBeGreaterThan(requested.length / 2);

  // Every create is there once, every update that succeeded took effect, and none that failed did.
  const made = system.history.filter(({ ref, version }) => ref !== null && version === 1);
  const creates = succeeded.filter(({ kind }) => kind === 'create').map(({ text }) => text);
  expect(made.map(({ name }) => name).sort()).toEqual(creates.toSorted());
  const updates = requested.filter(({ kind }) => kind === 'update');
  for (const { key, text, write } of updates) {
    const versions = system.history.filter(({ id, notes }) => String(id) === key && notes === text);
    expect(versions.length > 0, `${write.status} update of job ${key}: ${text}`).toBe(write.status === 'succeeded');
  }

  // The change log reports the deletes that happened, each once, and no others.
  const deletes = succeeded.filter(({ kind }) => kind === 'delete').map(({ key }) => key);
  const listed = await jobs.listedAtTheEnd();
  const reported = await jobs.reportedDeletes();
  expect(deletes.filter((key) => system.jobs.has(Number(key)))).toEqual([]);
  expect(reported.filter((key) => !removed.has(key) && !deletes.includes(key))).toEqual([]);
  expect(new Set(reported).size).toBe(reported.length);

  expect(listed).toEqual(jobsOf(system));
});
