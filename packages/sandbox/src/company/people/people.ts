import type { SeedTable } from '../../row.ts';
import { userTable } from '../master/users.ts';
import { checklistTables } from './checklists.ts';
import { commentTables } from './comments.ts';
import { contactTable } from './contacts.ts';

/** Contacts, users, checklists, calendars, comments and attachments. */
export function peopleTables(): SeedTable[] {
  return [contactTable(), userTable(), ...checklistTables(), ...commentTables()];
}
