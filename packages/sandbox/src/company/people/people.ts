import type { SeedTable } from '../../row.ts';
import { userTable } from '../master/users.ts';
import { checklistTables } from './checklists.ts';
import { commentTables } from './comments.ts';
import { contactTable } from './contacts.ts';

/** Whom the company knows and lets in, what was checked, arranged, written and filed. */
export function peopleTables(): SeedTable[] {
  return [contactTable(), userTable(), ...checklistTables(), ...commentTables()];
}
