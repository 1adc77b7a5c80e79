import { workerData } from 'node:worker_threads';
import type { Random } from './random.ts';

/** Number of the first work order; the others follow it. */
export const FIRST_WORK_ORDER = 400_010_001;

/** Default of `SeedOptions.workOrders`. */
const USUAL = 20_000;

export const WORK_ORDERS: number = workerData?.workOrders ?? USUAL;

/** Number of a work order of the first half, which documents of other areas refer to. */
export function anyWorkOrder({ between }: Pick<Random, 'between'>): number {
  return FIRST_WORK_ORDER + between(0, WORK_ORDERS / 2 - 1);
}
