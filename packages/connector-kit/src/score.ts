import type { CheckResult, ConformanceReport } from './run-checks.ts';

/**
 * Points of each check, 100 in total: the only place that defines them. Reading all rows correctly counts most, because nothing can
 * replace rows that are missing.
 */
export const SCORE_WEIGHTS: Readonly<Record<string, number>> = {
  'sign-in': 5,
  'readable-streams': 20,
  'unique-keys': 10,
  'page-sizes': 15,
  'single-rows': 10,
  'missing-rows': 5,
  'complete-changes': 10,
  'quiet-changes': 5,
  'described-columns': 5,
  'convertible-values': 5,
  'filled-fields': 5,
  'refused-credentials': 5,
};

/** What a check contributes. */
export interface ScorePart {
  readonly check: string;
  readonly result: CheckResult['outcome']['result'];
  readonly weight: number;
}

/** How well a platform reads a system. Writes, and passes through faults, are not measured. */
export interface Score {
  readonly platform: string;
  /** From 0 to 100: the points of checks that passed, as a share of those that apply. */
  readonly score: number;
  readonly parts: readonly ScorePart[];
  /** Entities with at least one record, and so proven to be read. */
  readonly entities: readonly string[];
}

/** The score of a report. Throws `Error` for a check without points. */
export function scoreOf({ platform, results, records }: ConformanceReport): Score {
  const parts = results.map(({ check: { name }, outcome: { result } }) => ({
    check: name,
    result,
    weight: weightOf(name),
  }));
  const sum = (counted: readonly ScorePart[]) => counted.reduce((total, { weight }) => total + weight, 0);
  const applicable = sum(parts.filter(({ result }) => result !== 'not_applicable'));
  const passed = sum(parts.filter(({ result }) => result === 'passed'));
  const entities = Object.keys(records).sort();
  return { platform, score: applicable === 0 ? 0 : Math.floor((100 * passed) / applicable), parts, entities };
}

function weightOf(check: string): number {
  const weight = SCORE_WEIGHTS[check];
  if (weight === undefined) throw new Error(`The check ${check} has no weight.`);
  return weight;
}
