import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../packages/store/src/embedded/free-port.ts';
import { type Server, startServer } from '../server-process.ts';

/** A running Request Tracker. */
export interface Tracker extends Server {
  /** Token of the user `root`, who has all rights. */
  readonly token: string;
}

const SYSTEM = '/usr/share/request-tracker5';
const CREATED = '/usr/local/share/request-tracker.sqlite';

/** Allows users to own tickets, and writes a token of the administrator. Neither can be done over REST. */
const PREPARE = `use RT -init;
my $users = RT::Group->new(RT->SystemUser); $users->LoadSystemInternalGroup('Privileged');
$users->PrincipalObj->GrantRight(Right => 'OwnTicket', Object => RT->System);
my $root = RT::User->new(RT->SystemUser); $root->Load('root');
my ($id, $message, $token) = RT::AuthToken->new(RT->SystemUser)->Create(Owner => $root->Id, Description => 'tests');
print $token or die $message;`;

/**
 * Starts Request Tracker with the database in `dir`, which must be new, and waits until it is ready. Port 0 means any free
 * port.
 *
 * @throws {Error} when Request Tracker is not installed (`install.sh`)
 */
export async function serve(dir: string, port = 0): Promise<Tracker> {
  const home = resolve(dir);
  const free = port === 0 ? await freePort() : port;
  await mkdir(join(home, 'settings'), { recursive: true });
  await copyFile(CREATED, join(home, 'tracker.sqlite'));
  await writeFile(join(home, 'settings.pm'), settings(home, free));
  // Without the folder, the settings of the package, including its database, would take precedence.
  const env = {
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    RT_SITE_CONFIG: join(home, 'settings.pm'),
    RT_SITE_CONFIG_DIR: join(home, 'settings'),
  };
  const prepared = await promisify(execFile)('/usr/bin/perl', [`-I${SYSTEM}/lib`, '-e', PREPARE], { env });
  const url = `http://127.0.0.1:${free}`;
  const server = await startServer({
    name: 'Request Tracker',
    command: `${SYSTEM}/libexec/rt-server`,
    arguments: ['--host', '127.0.0.1', '--port', String(free), '--max-workers', '2'],
    env,
    // It does not report that it is listening.
    ready: async () => ((await refusesStrangers(url)) ? url : undefined),
  });
  return { ...server, token: prepared.stdout.trim() };
}

function settings(home: string, port: number): string {
  const values = {
    rtname: 'plant.example',
    Organization: 'plant.example',
    WebDomain: '127.0.0.1',
    WebPort: String(port),
    WebBaseURL: `http://127.0.0.1:${port}`,
    WebPath: '',
    DatabaseType: 'SQLite',
    DatabaseName: join(home, 'tracker.sqlite'),
    // Every request hashes its token; the default takes most of the time of a request.
    BcryptCost: '6',
    MailCommand: 'testfile',
    LogToSyslog: '',
    LogToSTDERR: 'error',
    // Times in queries are in this zone, which differs from that of the tests.
    Timezone: 'America/New_York',
  };
  const lines = Object.entries(values).map(([name, value]) => `Set($${name}, '${value}');`);
  return [...lines, 'Set(%GnuPG, Enable => 0);', 'Set(%SMIME, Enable => 0);', '1;', ''].join('\n');
}

async function refusesStrangers(url: string): Promise<boolean> {
  return fetch(`${url}/REST/2.0/rt`).then(
    ({ status }) => status === 401,
    () => false,
  );
}
