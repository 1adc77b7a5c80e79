import { type CatalogEntity, catalogEntity } from '../../contract/entity-catalog.ts';
import type { Capability } from '../records/capability-queries.ts';

/** Kinds of records that most people know, the best example first. */
const KNOWN = ['Vendor', 'Customer', 'Partner', 'Account', 'WorkOrder', 'Project', 'Invoice'];

/** The kind of records for the first calls: a well-known one that the connected system has. */
export function firstEntity(capabilities: readonly Capability[]): CatalogEntity | undefined {
  const listed = capabilities.filter(({ operations }) => operations.includes('list')).map(({ entity }) => entity);
  const name = KNOWN.find((each) => listed.includes(each)) ?? listed[0];
  return name === undefined ? undefined : catalogEntity(name);
}
