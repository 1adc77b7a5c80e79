// Writes the tables of platforms in README.md, docs/platforms.md and docs/coverage.md from the platforms. `npm run entities` runs
// it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CompiledMapping, type Platform, platformOf } from '@unified/connectors';
import { addSandboxPlatform } from '@unified/sandbox';
import { coverage } from './coverage-table.ts';

addSandboxPlatform();

/** The system that the tests of a platform run against. */
interface Proof {
  readonly system: string;
  /** The tests in this repository that prove it. */
  readonly shown: { readonly text: string; readonly path: string };
  /** The test that carries out every write and action of its mappings, and finds each by the interface of the system. */
  readonly everyWrite?: string;
  /** Set if that system is a test server that follows the documentation of the real one. */
  readonly isDocumented?: true;
}

/** The platforms in the tables. They do not include platforms that users add for their own systems. */
const PROOFS = {
  sandbox: {
    system: 'its own tables in PostgreSQL 18, by every served operation and every filter',
    shown: { text: 'tests', path: 'packages/testing/test/every-operation.test.ts' },
  },
  'business-central': {
    system: 'a test server that follows the documentation by Microsoft; not yet proven on the real system',
    shown: { text: 'tests', path: 'packages/connectors/src/odata/business-central.test.ts' },
    isDocumented: true,
  },
  erpnext: {
    system:
      'a test server that follows the documentation of Frappe and the DocTypes of ERPNext; not yet proven on the real system',
    shown: { text: 'tests', path: 'packages/connectors/src/rest/erpnext.test.ts' },
    isDocumented: true,
  },
  gnucash: {
    system: 'books that GnuCash 4.13 from Debian 12 wrote to SQLite and MariaDB 10.11, and no other version',
    shown: { text: 'tests', path: 'packages/connectors/src/sql/gnucash.system.test.ts' },
  },
  killbill: {
    system: 'a running Kill Bill 0.22.26 from Maven Central with MariaDB 10.11, and no other version',
    shown: { text: 'tests', path: 'packages/connectors/src/rest/killbill.system.test.ts' },
    everyWrite: 'packages/testing/test/killbill-every-write.system.test.ts',
  },
  odoo: {
    system:
      'a test server that follows the documentation of the External JSON-2 API of Odoo 19; not yet proven on the real system',
    shown: { text: 'tests', path: 'packages/connectors/src/rest/odoo.test.ts' },
    isDocumented: true,
  },
  'quickbooks-online': {
    system:
      'a test server that follows the documentation of the QuickBooks Online Accounting API by Intuit; not yet proven on the real system',
    shown: { text: 'tests', path: 'packages/connectors/src/rest/quickbooks-online.test.ts' },
    isDocumented: true,
  },
  redmine: {
    system: 'a running Redmine 5.0 with SQLite from Debian 12, and no other version',
    shown: { text: 'tests', path: 'packages/connectors/src/rest/redmine-writing.system.test.ts' },
    everyWrite: 'packages/testing/test/redmine-every-write.system.test.ts',
  },
  'request-tracker': {
    system: 'a running Request Tracker 5.0 with SQLite from Debian 12, and no other version',
    shown: { text: 'tests', path: 'packages/connectors/src/rest/tracker.system.test.ts' },
    everyWrite: 'packages/testing/test/tracker-every-write.system.test.ts',
  },
  s4hana: {
    system:
      'a server that follows the description by SAP, behind a front as strict as SAP; not yet proven on the real system',
    shown: { text: 'tests', path: 'packages/connectors/src/odata/s4hana.system.test.ts' },
    everyWrite: 'packages/testing/test/s4hana-every-write.system.test.ts',
    isDocumented: true,
  },
  tryton: {
    system:
      'a running Tryton 6.0 with the modules of Debian 12 and a running Tryton 8.2 from PyPI, both on PostgreSQL 18, and no other series',
    shown: { text: 'tests', path: 'packages/connectors/src/tryton/tryton-operations.system.test.ts' },
    everyWrite: 'packages/testing/test/tryton-every-write.system.test.ts',
  },
} satisfies Readonly<Record<string, Proof>>;

const proven = Object.entries<Proof>(PROOFS).map(([id, proof]) => ({ platform: platformOf(id), proof }));

const root = new URL('../', import.meta.url);
/** Pages, and the function that writes the block between the markers of each. */
export const TABLES = [
  { page: 'README.md', make: summary },
  { page: 'docs/platforms.md', make: details },
  {
    page: 'docs/coverage.md',
    make: () =>
      coverage(
        proven.map(({ platform, proof: { isDocumented = false, everyWrite } }) => ({
          ...{ platform, isDocumented },
          ...(everyWrite !== undefined && { everyWrite }),
        })),
      ),
  },
] as const;
const BLOCK = /(<!-- platforms -->\n)[\s\S]*?(\n<!-- \/platforms -->)/;

/**
 * Platforms that are proven on a running system and write, without a test of every write. The sandbox is not one of them: every
 * operation of the document is carried out on it.
 */
export function withoutEveryWrite(): string[] {
  return proven
    .filter(
      ({ platform: { id }, proof }) =>
        id !== 'sandbox' && proof.isDocumented !== true && proof.everyWrite === undefined,
    )
    .filter(({ platform }) =>
      mappingsOf(platform).some(({ writes, actions }) => writes.size + Object.keys(actions).length > 0),
    )
    .map(({ platform }) => platform.id);
}

/** The text of a page with the current block for its platforms. */
export function withTables(page: string, make: () => string): string {
  const text = readFileSync(new URL(page, root), 'utf8');
  if (!BLOCK.test(text)) throw new Error(`${page} has no <!-- platforms --> block`);
  return text.replace(BLOCK, (_, begin, end) => `${begin}${make()}${end}`);
}

function summary(): string {
  const rows = proven.map(({ platform, proof: { system, shown } }) => {
    const { name } = platform;
    const mappings = mappingsOf(platform);
    const written = mappings.filter(({ writes }) => writes.size > 0).length;
    const actions = mappings.flatMap((mapping) => Object.keys(mapping.actions)).length;
    const cells = [
      `[${name}](docs/platforms.md#${anchorOf(name)})`,
      `${mappings.length} entities`,
      `${written} entities`,
      actions,
    ];
    return row([...cells, `${system} ([${shown.text}](${shown.path}))`]);
  });
  return [row(['platform', 'read', 'written', 'actions', 'tested against']), row(Array(5).fill('---')), ...rows].join(
    '\n',
  );
}

function details(): string {
  return proven.map(detailsOf).join('\n\n');
}

function detailsOf({ platform, proof: { system, shown } }: (typeof proven)[number]): string {
  const rows = mappingsOf(platform).map(({ entity, fields, writable, writes, actions }) =>
    row([
      entity,
      fields.length,
      writes.size > 0 ? writable.length : 0,
      [...writes].join(', '),
      Object.keys(actions).join(', '),
    ]),
  );
  return [
    `## ${platform.name}\n`,
    `${platform.description}\n`,
    `Tested against ${system} ([${shown.text}](../${shown.path})).\n`,
    row(['entity', 'fields read', 'fields written', 'writes', 'actions']),
    row(Array(5).fill('---')),
    ...rows,
  ].join('\n');
}

function mappingsOf({ mappings }: Platform): CompiledMapping[] {
  return Object.values(mappings).sort((a, b) => (a.entity < b.entity ? -1 : 1));
}

function anchorOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { page, make } of TABLES) writeFileSync(new URL(page, root), withTables(page, make));
}
