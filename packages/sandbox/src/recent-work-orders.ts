import type { SeedRow } from './row.ts';
import { compactTime, daysAgo } from './time.ts';

/** Number of days for which the material and resources of work orders are kept; older orders therefore have no cost. */
const KEPT = 40;
const since = compactTime(daysAgo(KEPT));

/** Whether a work order is released or finished, and recent enough to have material and resources. */
export function isRecent({ status, gemeldet }: SeedRow): boolean {
  return String(status) >= '10' && status !== '90' && String(gemeldet) >= since;
}
