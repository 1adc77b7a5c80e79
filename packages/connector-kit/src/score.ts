import type { CheckResult, ConformanceReport } from './run-checks.ts';

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
  /** Entities with at least one record, which proves that they can be read. */
  readonly entities: readonly string[];
}

/** The score of a report. */
export function scoreOf({ platform, results, records }: ConformanceReport): Score {
  const parts = results.map(({ check: { name, points }, outcome: { result } }) => ({
    check: name,
    result,
    weight: points,
  }));
  const sum = (counted: readonly ScorePart[]) => counted.reduce((total, { weight }) => total + weight, 0);
  const applicable = sum(parts.filter(({ result }) => result !== 'not_applicable'));
  const passed = sum(parts.filter(({ result }) => result === 'passed'));
  const entities = Object.keys(records).sort();
  return { platform, score: applicable === 0 ? 0 : Math.floor((100 * passed) / applicable), parts, entities };
}
