/** One line of the benchmark: a figure as a ratio to its yardstick in the same run, and the budget that it is held to. */
export interface Result {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly budget: { readonly atLeast: number } | { readonly atMost: number };
  /** What was measured, for readers who want to check the ratio. */
  readonly figures: Readonly<Record<string, number>>;
}

/** A part of the benchmark. */
export interface Part {
  readonly name: string;
  readonly about: string;
  measure(bench: Bench): Promise<readonly Result[]>;
}

/** What the parts share. */
export interface Bench {
  /** A database of this run, empty at first; parts that need another make their own beside it. */
  readonly databaseUrl: string;
  readonly databaseNamed: (name: string) => Promise<string>;
  /** Seconds per round of load. */
  readonly seconds: number;
  /** Minutes for which readers that do not read are endured. */
  readonly minutes: number;
  readonly say: (text: string) => void;
}

export function isWithin({ value, budget }: Result): boolean {
  return 'atLeast' in budget ? value >= budget.atLeast : value <= budget.atMost;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Median of the ratios of what was measured in the same round: the pace of a machine may change from one round to the next
 * by more than what is compared.
 */
export function medianRatio(one: readonly number[], other: readonly number[]): number {
  return median(one.map((value, round) => value / (other[round] ?? Number.NaN)));
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
