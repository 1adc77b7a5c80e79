import { execFile } from 'node:child_process';
import { access, copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Server, startServer } from '../server-process.ts';

const APPLICATION = '/usr/share/redmine';
const MIGRATED = '/usr/local/share/redmine-migrated.sqlite';

/** Enables the REST API and sets the API key of the administrator. */
const PREPARE = `
import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("delete from settings where name in ('rest_api_enabled', 'login_required')")
c.execute("insert into settings (name, value, updated_on) values ('rest_api_enabled', '1', datetime()), ('login_required', '1', datetime())")
c.execute("update users set must_change_passwd = 0 where login = 'admin'")
c.execute("delete from tokens where user_id = 1 and action = 'api'")
c.execute("insert into tokens (user_id, action, value, created_on, updated_on) values (1, 'api', ?, datetime(), datetime())", (sys.argv[2],))
c.commit()
`;

/**
 * Starts Redmine with the database, files and logs in `dir` and waits until it listens. Port 0 means any free port.
 *
 * @throws {Error} when Redmine is not installed (`install.sh`)
 */
export async function serve(dir: string, key: string, port = 0): Promise<Server> {
  const home = resolve(dir);
  for (const part of ['config', 'files', 'log', 'tmp/cache', 'tmp/pids', 'public']) {
    await mkdir(join(home, part), { recursive: true });
  }
  await configure(home, key);
  const server = await startServer({
    name: 'Redmine',
    command: '/usr/bin/puma',
    arguments: ['--dir', APPLICATION, '-e', 'production', '-t', '1:4', '-b', `tcp://127.0.0.1:${port}`, 'config.ru'],
    cwd: APPLICATION,
    env: {
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      RAILS_ENV: 'production',
      RUBYOPT: '-W0',
      // The name of an instance is appended to a path, so any folder can be named.
      REDMINE_INSTANCE: `../../../../..${home}`,
    },
    ready: (output) => /Listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1],
  });
  await writeFile(join(home, 'puma.pid'), String(server.pid));
  return server;
}

async function configure(home: string, key: string): Promise<void> {
  const database = join(home, 'redmine.sqlite');
  const settings = [
    'production:',
    '  adapter: sqlite3',
    `  database: ${database}`,
    '  encoding: utf8',
    '  timeout: 10000',
  ];
  await writeFile(join(home, 'config/database.yml'), `${settings.join('\n')}\n`);
  await writeFile(join(home, 'config/secret_key.txt'), key.repeat(2));
  const exists = await access(database).then(
    () => true,
    () => false,
  );
  if (exists) return;
  await copyFile(MIGRATED, `${database}.new`);
  await promisify(execFile)('/usr/bin/python3', ['-c', PREPARE, `${database}.new`, key]);
  await rename(`${database}.new`, database);
}
