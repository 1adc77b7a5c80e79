import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPlatform, type Platform, platformOf } from '@unified/connectors';
import { addSandboxPlatform } from '@unified/sandbox';
import { startBusinessCentral } from '../../connectors/test/documented/business-central/server.ts';
import { startErpNext } from '../../connectors/test/documented/erpnext/server.ts';
import { startOdoo } from '../../connectors/test/documented/odoo/server.ts';
import { startQuickBooks } from '../../connectors/test/documented/quickbooks-online/server.ts';
import { bucketSettingsOf, sftpSettingsOf, startBucket, startSftp } from '../../connectors/test/remote-folder.ts';
import { executeIn, startMariaDb } from '../../connectors/test/running-mariadb.ts';
import { startCompany } from '../../sandbox/test/company-database.ts';
import type { Settings } from '../src/system-under-test.ts';
import { bookPlatform, createBookFile } from './book-file.ts';
import { copyExports } from './copied-exports.ts';
import { startSupplierApi } from './supplier-api.ts';

/** A system whose score is committed. */
export interface MeasuredSystem {
  /** Name of the file with its score. */
  readonly name: string;
  /** The system with its version. */
  readonly system: string;
  start(): Promise<RunningSystem>;
}

export interface RunningSystem {
  readonly platform: Platform;
  readonly settings: Settings;
  stop(): Promise<void>;
}

/** The systems are outside this package, so the compiler must not see their paths. */
const startOf = (path: string) => import(new URL(`../../../test-systems/${path}`, import.meta.url).href);

const template = (protocol: string) =>
  loadPlatform(fileURLToPath(new URL(`../templates/${protocol}`, import.meta.url)));

const sandbox: MeasuredSystem = {
  name: 'sandbox',
  system: 'PostgreSQL 18 with the sandbox company',
  async start() {
    addSandboxPlatform();
    const { url, stop } = await startCompany();
    return { platform: platformOf('sandbox'), settings: { url, allowPrivateHosts: true }, stop };
  },
};

const businessCentral: MeasuredSystem = {
  name: 'business-central',
  system: 'a test server that follows the documentation of Business Central by Microsoft',
  async start() {
    const { settings, stop } = await startBusinessCentral();
    return { platform: platformOf('business-central'), settings, stop };
  },
};

const erpNext: MeasuredSystem = {
  name: 'erpnext',
  system: 'a test server that follows the documentation of Frappe and the DocTypes of ERPNext 15',
  async start() {
    const { settings, stop } = await startErpNext();
    return { platform: platformOf('erpnext'), settings, stop };
  },
};

const sqlite: MeasuredSystem = {
  name: 'sqlite',
  system: 'SQLite, as included in Node 24, with suppliers and articles',
  async start() {
    const { folder, settings, remove } = createBookFile();
    process.env.SQLITE_FOLDER = folder;
    return { platform: bookPlatform(() => ({ cursor: 'version' })), settings, stop: async () => remove() };
  },
};

const mariadb: MeasuredSystem = {
  name: 'mariadb',
  system: 'MariaDB 10.11 from Debian 12, with suppliers and articles',
  async start() {
    const { url, stop } = await startMariaDb();
    await executeIn(url, mariadbTables);
    return {
      platform: bookPlatform(() => ({ cursor: 'changed_at' })),
      settings: { url, allowPrivateHosts: true },
      stop,
    };
  },
};

const mariadbTables = `
  CREATE TABLE supplier (id int PRIMARY KEY, number varchar(20) NOT NULL, name varchar(80) NOT NULL, email varchar(80),
    changed_at timestamp(6) NOT NULL, KEY (changed_at, id));
  CREATE TABLE article (number varchar(20) PRIMARY KEY, name varchar(80) NOT NULL, changed_at timestamp(6) NOT NULL,
    KEY (changed_at, number));
  INSERT INTO supplier SELECT seq, concat('S-', seq), concat('Supplier ', seq), concat(seq, '@example.com'),
    '2026-01-01' + INTERVAL seq DIV 10 DAY FROM seq_1_to_50;
  INSERT INTO article VALUES ('A-1', 'Bolt', '2026-01-01'), ('A/2', 'Nut', '2026-01-01'), ('ü 3', 'Screw', '2026-01-02');`;

const files: MeasuredSystem = {
  name: 'files',
  system: 'CSV and XLSX files with suppliers, orders and items, which are an example',
  async start() {
    const example = fileURLToPath(new URL('../../connectors/examples/old-erp-files', import.meta.url));
    const folder = copyExports(example);
    process.env.FILES_FOLDER = folder;
    const stop = async () => rmSync(folder, { recursive: true });
    return { platform: loadPlatform(example), settings: { folder: 'exports' }, stop };
  },
};

/** The same files in another place, which `settings` names. */
const remoteFiles = (name: string, system: string, start: () => Promise<RemoteFolder>): MeasuredSystem => ({
  name,
  system,
  async start() {
    const example = fileURLToPath(new URL('../../connectors/examples/old-erp-files', import.meta.url));
    const { path, settings, stop } = await start();
    const folder = copyExports(example);
    cpSync(join(folder, 'exports'), path, { recursive: true, preserveTimestamps: true });
    rmSync(folder, { recursive: true });
    return { platform: withSettings(loadPlatform(example), settings), settings, stop };
  },
});

/** The platform with these settings, as the template has them. */
function withSettings(platform: Platform, settings: Settings): Platform {
  const secrets = Object.keys(settings).filter((name) => /secret|privateKey|passphrase/i.test(name));
  const properties = Object.entries(settings).map(([name, value]) => {
    return [name, { type: typeof value, ...(secrets.includes(name) && { writeOnly: true }) }];
  });
  return { ...platform, secrets, settings: { ...platform.settings, properties: Object.fromEntries(properties) } };
}

interface RemoteFolder {
  readonly path: string;
  readonly settings: Settings;
  stop(): Promise<void>;
}

const filesInBucket = remoteFiles('files-s3', 'the same files in a bucket of Versity S3 Gateway 1.8', async () => {
  const bucket = await startBucket();
  return { ...bucket, settings: bucketSettingsOf(bucket) };
});

const filesOnSftp = remoteFiles(
  'files-sftp',
  'the same files on an OpenSSH 9.2 SFTP server from Debian 12',
  async () => {
    const sftp = await startSftp();
    return { ...sftp, settings: sftpSettingsOf(sftp) };
  },
);

const gnucash: MeasuredSystem = {
  name: 'gnucash',
  system: 'a book of GnuCash 4.13 from Debian 12 in SQLite',
  async start() {
    const { folder, file, stop } = await (await startOf('gnucash/start.ts')).startBook();
    process.env.SQLITE_FOLDER = folder;
    return { platform: platformOf('gnucash'), settings: { url: `sqlite://${file}` }, stop };
  },
};

const gnucashInMariaDb: MeasuredSystem = {
  name: 'gnucash-mariadb',
  system: 'a book of GnuCash 4.13 from Debian 12 in MariaDB 10.11',
  async start() {
    const { url, stop } = await startMariaDb();
    await (await startOf('gnucash/start.ts')).createBook(url);
    return { platform: platformOf('gnucash'), settings: { url, allowPrivateHosts: true }, stop };
  },
};

const killBill: MeasuredSystem = {
  name: 'killbill',
  system: 'Kill Bill 0.22 with MariaDB 10.11 from Debian 12',
  async start() {
    const running = await (await startOf('killbill/start.ts')).startKillBill();
    const { url, user, password, apiKey, apiSecret, stop } = running;
    const settings = { url, user, password, apiKey, apiSecret, allowPrivateHosts: true };
    return { platform: platformOf('killbill'), settings, stop };
  },
};

const rest: MeasuredSystem = {
  name: 'rest',
  system: 'a small REST API with suppliers, which is part of the tests',
  async start() {
    const { settings, close } = await startSupplierApi();
    return { platform: template('rest'), settings, stop: close };
  },
};

const odata: MeasuredSystem = {
  name: 's4hana',
  system: 'a server that follows the description of API_BUSINESS_PARTNER by SAP',
  async start() {
    const { url, user, password, stop } = await (await startOf('odata/start.ts')).startBusinessPartners();
    return { platform: platformOf('s4hana'), settings: { url, user, password, allowPrivateHosts: true }, stop };
  },
};

const odoo: MeasuredSystem = {
  name: 'odoo',
  system: 'a test server that follows the documentation of the External JSON-2 API of Odoo 19',
  async start() {
    const { settings, stop } = await startOdoo();
    return { platform: platformOf('odoo'), settings, stop };
  },
};

const quickBooks: MeasuredSystem = {
  name: 'quickbooks-online',
  system: 'a test server that follows the documentation of the QuickBooks Online Accounting API by Intuit',
  async start() {
    const { settings, stop } = await startQuickBooks();
    return { platform: platformOf('quickbooks-online'), settings, stop };
  },
};

const redmine: MeasuredSystem = {
  name: 'redmine',
  system: 'Redmine 5.0 with SQLite from Debian 12',
  async start() {
    const { url, key, stop } = await (await startOf('redmine/start.ts')).startRedmine();
    return { platform: platformOf('redmine'), settings: { url, token: key, allowPrivateHosts: true }, stop };
  },
};

const requestTracker: MeasuredSystem = {
  name: 'request-tracker',
  system: 'Request Tracker 5.0 with SQLite from Debian 12',
  async start() {
    const { url, token, stop } = await (await startOf('request-tracker/start.ts')).startTracker();
    return { platform: platformOf('request-tracker'), settings: { url, token, allowPrivateHosts: true }, stop };
  },
};

const tryton = (series: string) => async (): Promise<RunningSystem> => {
  const { url, database, user, password, stop } = await (await startOf('tryton/start.ts')).startTryton({
    series,
    storage: 'postgres',
  });
  return { platform: platformOf('tryton'), settings: { url, database, user, password, allowPrivateHosts: true }, stop };
};
const earlierTryton: MeasuredSystem = {
  name: 'tryton',
  system: 'Tryton 6.0 with PostgreSQL 18 and the modules of Debian 12',
  start: tryton('6.0'),
};
const currentTryton: MeasuredSystem = {
  name: 'tryton-8.2',
  system: 'Tryton 8.2 with PostgreSQL 18 and the modules of PyPI',
  start: tryton('8.2'),
};

/** In alphabetical order. */
export const measuredSystems: readonly MeasuredSystem[] = [
  businessCentral,
  erpNext,
  files,
  filesInBucket,
  filesOnSftp,
  gnucash,
  gnucashInMariaDb,
  killBill,
  mariadb,
  odoo,
  quickBooks,
  redmine,
  requestTracker,
  rest,
  odata,
  sandbox,
  sqlite,
  earlierTryton,
  currentTryton,
];
