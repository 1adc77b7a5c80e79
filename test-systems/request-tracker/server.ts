import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A running server process. */
export interface Server {
  /** `http://127.0.0.1:43211`. */
  readonly url: string;
  /** Token of the user `root`, who has all rights. */
  readonly token: string;
  /** Stops the process and waits until it has exited. */
  stop(): Promise<void>;
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
 * Starts Request Tracker with the database in `dir`, which must be new, and waits until it answers. Port 0 means any free
 * port.
 *
 * @throws {Error} when Request Tracker is not installed (`install.sh`)
 */
export async function serve(dir: string, port = 0): Promise<Server> {
  const home = resolve(dir);
  const free = port === 0 ? await freePort() : port;
  await mkdir(join(home, 'settings'), { recursive: true });
  await copyFile(CREATED, join(home, 'tracker.sqlite'));
  await writeFile(join(home, 'settings.pm'), settings(home, free));
  // Without the folder, the settings of the package, with its database, would win.
  const env = {
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    RT_SITE_CONFIG: join(home, 'settings.pm'),
    RT_SITE_CONFIG_DIR: join(home, 'settings'),
  };
  const prepared = await promisify(execFile)('/usr/bin/perl', [`-I${SYSTEM}/lib`, '-e', PREPARE], { env });
  const arguments_ = ['--host', '127.0.0.1', '--port', String(free), '--max-workers', '2'];
  const child = spawn(`${SYSTEM}/libexec/rt-server`, arguments_, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const url = `http://127.0.0.1:${free}`;
  await answering(child, url);
  return {
    url,
    token: prepared.stdout.trim(),
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(kill, 5_000);
      await gone;
      clearTimeout(late);
    },
  };
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
    // Times in queries are in this zone, which is not that of the tests.
    Timezone: 'America/New_York',
  };
  const lines = Object.entries(values).map(([name, value]) => `Set($${name}, '${value}');`);
  return [...lines, 'Set(%GnuPG, Enable => 0);', 'Set(%SMIME, Enable => 0);', '1;', ''].join('\n');
}

/** A port that was free just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The server does not report that it is listening, so it is asked until it answers or exits. */
async function answering(child: ChildProcess, url: string): Promise<void> {
  let said = '';
  const read = (chunk: unknown) => {
    // Keep reading: a full pipe would stop the server.
    if (said.length < 100_000) said += String(chunk);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  child.once('exit', (code) => {
    failure ??= new Error(`Request Tracker exited with code ${code}:\n${said}`);
  });
  const answers = () =>
    fetch(`${url}/REST/2.0/rt`).then(
      ({ status }) => status === 401,
      () => false,
    );
  while (!(await answers())) {
    if (failure) throw failure;
    await pause(100);
  }
}
