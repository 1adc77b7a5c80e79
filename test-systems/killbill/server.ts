import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executeIn } from '../../packages/connectors/test/running-mariadb.ts';
import { freePort } from '../../packages/store/src/embedded/free-port.ts';
import { type Server, startServer } from '../server-process.ts';

const HOME = '/usr/local/share/killbill';

/** Java packages that Kill Bill modifies. Without them, every request fails with "Unknown protocol: jar". */
const OPENED = [
  'java.lang',
  'java.util',
  'java.net',
  'java.security',
  ...['file', 'ftp', 'http', 'https', 'jar', 'jrt'].map((name) => `sun.net.www.protocol.${name}`),
  'sun.net.www.content.text',
];

/** Java options for little memory and a short-lived process. */
const JAVA = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Duser.timezone=UTC'];

/**
 * Starts Kill Bill with its tables in an empty database of MariaDB, and waits until it is ready.
 *
 * @param dir a folder for its settings and temporary files
 * @param database `mysql://user:password@127.0.0.1:43211/name`
 * @param port 0 means any free port
 * @throws {Error} when Kill Bill is not installed (`install.sh`)
 */
export async function serve(dir: string, database: string, port = 0): Promise<Server> {
  const free = port === 0 ? await freePort() : port;
  await executeIn(database, await readFile(join(HOME, 'tables.sql'), 'utf8'));
  await writeFile(join(dir, 'killbill.properties'), properties(dir, new URL(database)));
  const url = `http://127.0.0.1:${free}`;
  return startServer({
    name: 'Kill Bill',
    command: 'java',
    arguments: [
      ...JAVA,
      ...OPENED.flatMap((name) => ['--add-opens', `java.base/${name}=ALL-UNNAMED`]),
      `-Dorg.killbill.server.properties=file://${join(dir, 'killbill.properties')}`,
      `-Djava.io.tmpdir=${dir}`,
      '-jar',
      join(HOME, 'jetty.jar'),
      ...['--host', '127.0.0.1', '--port', String(free)],
      join(HOME, 'application'),
    ],
    ready: async () => ((await isHealthy(url)) ? url : undefined),
  });
}

function properties(dir: string, { host, pathname, username, password }: URL): string {
  const ofDatabase = (prefix: string) => ({
    [`${prefix}.url`]: `jdbc:mysql://${host}${pathname}`,
    [`${prefix}.user`]: username,
    [`${prefix}.password`]: password,
  });
  const values = {
    ...ofDatabase('org.killbill.dao'),
    ...ofDatabase('org.killbill.billing.osgi.dao'),
    'org.killbill.osgi.bundle.install.dir': join(dir, 'plugins'),
    'org.killbill.osgi.root.dir': join(dir, 'osgi'),
    'org.killbill.server.multitenant': 'true',
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

async function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/1.0/healthcheck`).then(
    ({ ok }) => ok,
    () => false,
  );
}
