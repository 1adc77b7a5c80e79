import { SystemError } from '@unified/connectors';
import { explainFailure } from '@unified/engine';
import { signIn } from './checks/sign-in.ts';
import type { ConformanceCheck, Outcome } from './conformance-check.ts';
import { afterSignIn } from './every-check.ts';
import { surveyedStreams } from './surveyed-streams.ts';
import type { SystemUnderTest } from './system-under-test.ts';

/** A check and its outcome. */
export interface CheckResult {
  readonly check: Pick<ConformanceCheck, 'name' | 'points' | 'asserts' | 'consequence'>;
  readonly outcome: Outcome;
}

export interface ConformanceReport {
  /** Id of the platform. */
  readonly platform: string;
  readonly results: readonly CheckResult[];
  /** How many records of each entity were derived from the rows that were read. Entities without records are left out. */
  readonly records: Readonly<Record<string, number>>;
}

export interface RunOptions {
  /** Checks to run after the sign-in. Defaults to `afterSignIn`. */
  readonly checks?: readonly ConformanceCheck[];
  readonly onResult?: (result: CheckResult) => void;
}

/**
 * Runs `signIn`, and then the checks one after the other. If signing in fails, they do not apply. `onResult` is called after
 * each check.
 */
export async function runChecks(
  system: SystemUnderTest,
  { checks = afterSignIn, onResult = () => {} }: RunOptions = {},
): Promise<ConformanceReport> {
  const results: CheckResult[] = [];
  const add = ({ name, points, asserts, consequence }: ConformanceCheck, outcome: Outcome) => {
    const result = { check: { name, points, asserts, consequence }, outcome };
    results.push(result);
    onResult(result);
  };
  const signedIn = await outcomeOfRun(signIn, system);
  add(signIn, signedIn);
  const isSignedIn = signedIn.result === 'passed';
  for (const check of checks) add(check, isSignedIn ? await outcomeOfRun(check, system) : NOT_SIGNED_IN);
  const surveys = isSignedIn ? await surveyedStreams(system) : [];
  const records = Object.fromEntries(surveys.flatMap((survey) => [...survey.records]));
  return { platform: system.platform.id, results, records };
}

const NOT_SIGNED_IN: Outcome = { result: 'not_applicable', reason: 'The system cannot be signed in to.' };

async function outcomeOfRun(check: ConformanceCheck, system: SystemUnderTest): Promise<Outcome> {
  try {
    return await check.run(system);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return { result: 'failed', findings: [{ place: system.platform.id, ...explainFailure(error) }] };
  }
}
