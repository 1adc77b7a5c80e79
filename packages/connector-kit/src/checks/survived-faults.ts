import { setTimeout as pause } from 'node:timers/promises';
import { asSentence, type Driver, type PulledPage, SystemError } from '@unified/connectors';
import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { startProxyFor } from '../faults/proxied-settings.ts';
import { readPages } from '../read-pages.ts';
import { hashOf, type Survey } from '../survey.ts';
import { overRows, someOf, streamsWithRows } from '../surveyed-streams.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

export interface FaultOptions {
  /** Number of passes over every stream. */
  readonly passes: number;
  /** Seed of the first pass; each pass after it uses the next number. */
  readonly seed: number;
}

/** Full passes through a proxy that injects faults find the same rows. */
export function survivedFaults({ passes, seed }: FaultOptions): ConformanceCheck {
  return {
    name: 'survived-faults',
    points: 0,
    asserts:
      'Passes through a connection that fails again and again, in which each page is repeated as in a sync, find the same rows.',
    consequence: 'A bad connection would delete records, or stop synchronization.',
    run: overRows(async (surveys, system) => {
      const findings: Finding[] = [];
      const injected = new Map<string, number>();
      for (let pass = 0; pass < passes; pass++) {
        const faulty = await onePass(system, surveys, seed + pass);
        if (faulty === null)
          return { result: 'not_applicable', reason: 'The settings contain no address of a server.' };
        findings.push(...faulty.findings);
        for (const fault of faulty.injected) injected.set(fault, (injected.get(fault) ?? 0) + 1);
      }
      const counts = [...injected].map(([fault, count]) => `${count} ${fault}`).join(', ');
      return outcomeOf(findings, `${passes} passes over ${surveys.length} streams`, [`Seed ${seed}: ${counts}.`]);
    }),
  };
}

async function onePass(system: SystemUnderTest, surveys: readonly Survey[], seed: number) {
  const proxied = await startProxyFor(system.platform, system.settings, seed);
  if (proxied === null) return null;
  const { proxy, plan, settings } = proxied;
  try {
    const findings = await system.withSession(settings, async (driver) => {
      const found: Finding[] = [];
      for (const survey of surveys) found.push(...(await throughFaults(system, driver, survey)));
      return found;
    });
    return {
      findings: findings.map((each) => ({ ...each, problem: `${each.problem} Seed ${seed}.` })),
      injected: plan.injected,
    };
  } finally {
    await proxy.close();
  }
}

/** Reads the pages of these passes without faults, so that a recording contains them. */
export async function readPagesOfFaultPasses(system: SystemUnderTest): Promise<void> {
  for (const survey of await streamsWithRows(system)) {
    const { stream, keys } = survey;
    const limit = limitOf(survey);
    await readPages((from) => system.driver.pull({ stream, from, limit }), keys.length);
  }
}

/** Rows of a page: three pages if the stream has three rows. */
function limitOf({ stream, keys }: Survey): number {
  return Math.min(stream.pageSize, Math.max(1, Math.ceil(keys.length / 3)));
}

/** Compares a pass through faults with the survey, which was read without faults. */
async function throughFaults(system: SystemUnderTest, driver: Driver, survey: Survey): Promise<Finding[]> {
  const { stream, keys, mappings } = survey;
  const limit = limitOf(survey);
  try {
    const { rows } = await readPages((from) => repeated(() => driver.pull({ stream, from, limit })), keys.length);
    const read = new Map(rows.map((row) => [row.key, hashOf(row, mappings)]));
    const isSame =
      keys.every((key) => read.get(key) === survey.hashes.get(key)) &&
      (!survey.isWhole || read.size === survey.hashes.size);
    return isSame ? [] : await confirmed(system, survey, read);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return [{ place: stream.name, ...endedBy(error) }];
  }
}

/** The differences that a pass without faults confirms. Rows that another process changed in the meantime do not count. */
async function confirmed(
  system: SystemUnderTest,
  survey: Survey,
  read: ReadonlyMap<string, string>,
): Promise<Finding[]> {
  const { hashes } = await system.surveyAgain(survey.stream);
  const place = survey.stream.name;
  const lost = survey.keys.filter(
    (key) => hashes.get(key) === survey.hashes.get(key) && read.get(key) !== hashes.get(key),
  );
  const added = survey.isWhole ? [...read.keys()].filter((key) => !hashes.has(key) && !survey.hashes.has(key)) : [];
  const remedy = 'Check how the driver repeats and continues a pass.';
  return [
    ...(lost.length > 0 ? [{ place, problem: `Rows are missing or different: ${someOf(lost)}.`, remedy }] : []),
    ...(added.length > 0 ? [{ place, problem: `Rows were read that do not exist: ${someOf(added)}.`, remedy }] : []),
  ];
}

/** Why a pass ended early, and what to do about it. */
function endedBy({ kind, words }: SystemError): Omit<Finding, 'place'> {
  if (kind === 'throttled') {
    const remedy = 'Repeat the check later, or with fewer rows (--rows): it makes more calls than a sync.';
    return { problem: `The system itself still accepts no more calls after a wait: ${asSentence(words)}`, remedy };
  }
  if (PASSING.has(kind)) {
    const remedy = 'Check that the system itself works without these faults, then repeat the check.';
    return {
      problem: `A page failed in each of ${ATTEMPTS} attempts, at last as "${kind}": ${asSentence(words)}`,
      remedy,
    };
  }
  return {
    problem: `A connection fault is reported as "${kind}", which is not retried: ${asSentence(words)}`,
    remedy: 'Correct how the driver reports this failure.',
  };
}

/** Failures after which a sync repeats a page. The session has waited for a system that accepts no more calls. */
const PASSING: ReadonlySet<SystemError['kind']> = new Set(['unavailable', 'conflict', 'unknown', 'invalid']);

/** More attempts than one page needs if each of its requests fails twice in a row. */
const ATTEMPTS = 30;

/** Repeats a page as a sync does, but after the shortest wait that the system allows. */
async function repeated(pull: () => Promise<PulledPage>): Promise<PulledPage> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pull();
    } catch (error) {
      if (!(error instanceof SystemError) || !PASSING.has(error.kind) || attempt >= ATTEMPTS) throw error;
      await pause((error.retryAfter ?? 0) * 1000);
    }
  }
}
