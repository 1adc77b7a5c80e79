import type { SystemUnderTest } from './system-under-test.ts';

/** A reason why a check failed. */
export interface Finding {
  /** Stream, field, action or setting. */
  readonly place: string;
  /** What happened, with the message from the system. */
  readonly problem: string;
  readonly remedy: string;
}

/** The outcome of a check. */
export type Outcome =
  | {
      readonly result: 'passed';
      /** What was compared, such as `12 streams, 3401 rows`. */
      readonly seen: string;
      /** Limitations that are not failures. */
      readonly notes?: readonly string[];
    }
  | { readonly result: 'failed'; readonly findings: readonly Finding[] }
  | { readonly result: 'not_applicable'; readonly reason: string };

/** One requirement that every connected system must meet, whatever its protocol. */
export interface ConformanceCheck {
  /** Identifies it in reports and scores. */
  readonly name: string;
  /** Its share of the score. The points of `everyCheck` add up to 100. */
  readonly points: number;
  /** What must be true, as a sentence. */
  readonly asserts: string;
  /** What users would notice if it were not true, as a sentence. */
  readonly consequence: string;
  /** Throws `SystemError` if the system fails in a way that the check does not expect. */
  run(system: SystemUnderTest): Promise<Outcome>;
}

/** `failed` if there are findings, otherwise `passed`. */
export function outcomeOf(findings: readonly Finding[], seen: string, notes: readonly string[] = []): Outcome {
  if (findings.length > 0) return { result: 'failed', findings };
  return { result: 'passed', seen, ...(notes.length > 0 && { notes }) };
}

/** The outcome of a check for which the system has nothing to check, and which therefore proves nothing. */
export function skipped(reason: string): Outcome {
  return { result: 'not_applicable', reason: `Skipped: ${reason}.` };
}
