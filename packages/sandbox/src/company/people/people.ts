import type { SeedTable } from '../../row.ts';
import { userTable } from '../master/users.ts';
import { checklistTables } from './checklists.ts';
import { commentTables, type Subjects } from './comments.ts';
import { contactTable } from './contacts.ts';

/** Contacts, users, checklists, calendars, and comments and attachments about the subjects and other records. */
export function peopleTables(subjects: Subjects): SeedTable[] {
  return [contactTable(), userTable(), ...checklistTables(), ...commentTables(subjects)];
}
