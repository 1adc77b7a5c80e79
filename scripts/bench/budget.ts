/** One line of the benchmark: a measurement as a ratio to its baseline in the same run, and its budget. */
export interface Result {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Null: a cost that depends on the machine. */
  readonly budget: { readonly atLeast: number } | { readonly atMost: number } | null;
  /** The measured values, so that the ratio can be checked. */
  readonly figures: Readonly<Record<string, number>>;
}

/** A part of the benchmark. */
export interface Part {
  readonly name: string;
  readonly about: string;
  /** Whether it is measured only if its name is given, because it takes an hour or more. */
  readonly isOnRequest?: true;
  measure(bench: Bench): Promise<readonly Result[]>;
}

/** Shared by all parts. */
export interface Bench {
  /** Folder of the embedded PostgreSQL of this run. */
  readonly dataDir: string;
  /** The database of this run, empty at first. Parts that need another database create it. */
  readonly databaseUrl: string;
  readonly databaseNamed: (name: string) => Promise<string>;
  /** Seconds per round of load. */
  readonly seconds: number;
  /** Minutes of load by clients that do not read their responses. */
  readonly minutes: number;
  /** Number of records that are derived again. */
  readonly rows: number;
  /** Number of records of a large connection, whose neighbor is small. */
  readonly records: number;
  readonly say: (text: string) => void;
}

export function isWithin({ value, budget }: Result): boolean {
  if (!budget) return true;
  return 'atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Median of the ratios within each round: between rounds, the speed of a machine may change by more than the measured
 * difference.
 */
export function medianRatio(one: readonly number[], other: readonly number[]): number {
  return median(one.map((value, round) => value / (other[round] ?? Number.NaN)));
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
