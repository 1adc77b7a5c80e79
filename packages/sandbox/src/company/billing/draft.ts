import type { SeedRow } from '../../row.ts';

/** What an invoice is made of, before it has a number. */
export interface Draft {
  readonly kind: 'D' | 'K';
  readonly partner: number;
  readonly currency: string;
  readonly mand: string;
  readonly age: number;
  /** How it stands, where the document behind it says so. */
  readonly status?: string;
  readonly own: SeedRow;
  readonly lines: readonly SeedRow[];
  readonly freightCents: number;
  /** Discount on the whole of it, in percent and as an amount. */
  readonly discount: { readonly percent: number; readonly cents: number };
}
