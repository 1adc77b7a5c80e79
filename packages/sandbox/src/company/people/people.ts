import type { SeedRow, SeedTable } from '../../row.ts';
import { userTable } from '../master/users.ts';
import { checklistTables } from './checklists.ts';
import { commentTables } from './comments.ts';
import { contactTable } from './contacts.ts';

/** Contacts, users, checklists, calendars, comments and attachments; some belong to the steps of work orders. */
export function peopleTables(steps: readonly SeedRow[]): SeedTable[] {
  return [contactTable(), userTable(), ...checklistTables(), ...commentTables(steps)];
}
