import type { SeedRow } from '../../row.ts';

/** An invoice before it has a number. */
export interface Draft {
  readonly kind: 'D' | 'K';
  readonly party: number;
  readonly currency: string;
  readonly mand: string;
  readonly age: number;
  /** Its status, if the source document determines it. */
  readonly status?: string;
  /** Whether it completes its source, so that it is neither a draft nor withdrawn. */
  readonly isPosted?: boolean;
  readonly own: SeedRow;
  readonly lines: readonly SeedRow[];
  readonly freightCents: number;
  /** Discount on the whole invoice, in percent and as an amount. */
  readonly discount: { readonly percent: number; readonly cents: number };
}
