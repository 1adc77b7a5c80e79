import { TENANT_ROLE } from '../../sql/tenant-role.ts';
import { guard } from '../row-security.ts';
import { systemTables, tenantTables } from './001-system-tables.ts';
import { links } from './002-links.ts';
import { contents, contentTables } from './003-contents.ts';
import { rowProblems } from './004-row-problems.ts';
import { connections } from './005-connections.ts';
import { unresolvedFields } from './006-unresolved-fields.ts';

/** Migration after which the links of stored records have to be noted. */
export const LINKS = 'links of lists';

/** Written migrations in order; the number of one is its place. Never change one that was released. */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: 'system tables',
    sql: [
      systemTables,
      `grant usage on schema unified, data to ${TENANT_ROLE};`,
      ...tenantTables.map((table) => guard(`unified.${table}`, false)),
    ].join('\n'),
  },
  { name: LINKS, sql: `${links}\n${guard('unified.links', false)}` },
  {
    name: 'contents',
    sql: [contents, ...contentTables.map((table) => guard(`unified.${table}`, false))].join('\n'),
  },
  { name: 'problems of rows', sql: `${rowProblems}\n${guard('unified.row_problems', false)}` },
  { name: 'connections', sql: connections },
  { name: 'fields of unresolved references', sql: unresolvedFields },
];
