import { SystemError } from '@unified/connectors';
import { explainFailure } from '@unified/engine';
import { signIn } from './checks/sign-in.ts';
import type { ConformanceCheck, Outcome } from './conformance-check.ts';
import { everyCheck } from './every-check.ts';
import { surveyedStreams } from './surveyed-streams.ts';
import type { SystemUnderTest } from './system-under-test.ts';

/** A check and its outcome. */
export interface CheckResult {
  readonly check: Pick<ConformanceCheck, 'name' | 'asserts' | 'consequence'>;
  readonly outcome: Outcome;
}

export interface ConformanceReport {
  /** Id of the platform. */
  readonly platform: string;
  readonly results: readonly CheckResult[];
  /** Number of records of each entity that has any, among the rows that were read. */
  readonly records: Readonly<Record<string, number>>;
}

export interface RunOptions {
  /** Begins with the check of the sign-in. Default: `everyCheck`. */
  readonly checks?: readonly ConformanceCheck[];
  readonly onResult?: (result: CheckResult) => void;
}

/**
 * Runs the checks one after the other. If the system cannot be signed in to, the others do not apply. `onResult` is called after
 * each check.
 */
export async function runChecks(
  system: SystemUnderTest,
  { checks = everyCheck, onResult = () => {} }: RunOptions = {},
): Promise<ConformanceReport> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const isSignedIn = check === signIn || results[0]?.outcome.result === 'passed';
    const outcome: Outcome = isSignedIn
      ? await outcomeOfRun(check, system)
      : { result: 'not_applicable', reason: 'The system cannot be signed in to.' };
    const { name, asserts, consequence } = check;
    const result = { check: { name, asserts, consequence }, outcome };
    results.push(result);
    onResult(result);
  }
  const surveys = results[0]?.outcome.result === 'passed' ? await surveyedStreams(system) : [];
  const records = Object.fromEntries(surveys.flatMap((survey) => [...survey.records]));
  return { platform: system.platform.id, results, records };
}

async function outcomeOfRun(check: ConformanceCheck, system: SystemUnderTest): Promise<Outcome> {
  try {
    return await check.run(system);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return { result: 'failed', findings: [{ place: system.platform.id, ...explainFailure(error) }] };
  }
}
