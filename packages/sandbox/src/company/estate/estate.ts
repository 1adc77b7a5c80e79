import type { SeedTable } from '../../row.ts';
import { leaseTables } from './leases.ts';
import { propertyTable } from './properties.ts';
import { spaceTable } from './spaces.ts';

/** Land and buildings, the spaces in them, leases and applications for them. */
export function estateTables(): SeedTable[] {
  return [propertyTable(), spaceTable(), ...leaseTables()];
}
