import type { Operation, OperationId, Surface } from '@unified/contract';

/** How many requests a client may send per minute. */
interface RateBudget {
  readonly surface: Surface;
  readonly requestsPerMinute: number;
  /**
   * The client that requests are counted for. Without valid credentials every request is counted for the client's
   * address.
   */
  readonly per: 'application' | 'address';
  /** The operations that are limited; all of the surface by default. */
  readonly operations?: readonly OperationId[];
}

const BUDGETS: readonly RateBudget[] = [
  { surface: 'data', requestsPerMinute: 600, per: 'application' },
  { surface: 'mcp', requestsPerMinute: 300, per: 'application' },
  { surface: 'management', requestsPerMinute: 120, per: 'application' },
  { surface: 'oauth', requestsPerMinute: 60, per: 'address', operations: ['issueToken'] },
];
const BY_SURFACE = new Map(BUDGETS.map((budget) => [budget.surface, budget]));

/**
 * The budget that requests to an operation are counted on, by its surface in the document; undefined: they are not
 * limited. Requests to unknown addresses count as requests to the data API.
 */
export function rateBudgetOf(operation: Pick<Operation, 'id' | 'surface'> | undefined): RateBudget | undefined {
  const budget = BY_SURFACE.get(operation?.surface ?? 'data');
  const isLimited = operation === undefined || (budget?.operations?.some((id) => id === operation.id) ?? true);
  return isLimited ? budget : undefined;
}
