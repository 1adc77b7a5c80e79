import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { timed } from '../progress.mjs';
import { withLock } from './lock.mjs';
import { isWindows, root, run } from './run.mjs';

const NODE = '24.21.0';
const OLDEST_NODE = [22, 19];
const PNPM = '10.34.9';

/** What to check when something cannot be installed. */
export const REGISTRY_ADVICE = 'Check that the npm registry can be reached, then run the command again.';

const tools = join(root, '.tools');
const nodeIsOld = isOlder(process.versions.node, OLDEST_NODE);

/** Version of Node that runs programs, which is not always the one that runs this script. */
export const nodeVersion = nodeIsOld ? NODE : process.versions.node;

/** Environment with recent enough versions of `node` and `pnpm`. Downloads only those that are too old or missing. */
export async function prepareTools() {
  const wanted = missing();
  if (!isInstalled(wanted)) await withLock('tools', () => install(wanted));
  return {
    ...process.env,
    PATH: [join(tools, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
}

function missing() {
  const found = [];
  if (nodeIsOld) found.push({ name: `${nodePackage()}@${NODE}`, program: 'node' });
  const pnpm = spawnSync('pnpm', ['--version'], { cwd: root, encoding: 'utf8', shell: isWindows });
  if (pnpm.status !== 0 || !pnpm.stdout.trim().startsWith('10.')) found.push({ name: `pnpm@${PNPM}`, program: 'pnpm' });
  return found;
}

/** The package of Node. The registry has none for macOS. */
function nodePackage() {
  if (process.platform === 'darwin') {
    console.error(
      `This machine has Node ${process.versions.node}; install Node 24 (or 22.19 and newer), then run the command again.`,
    );
    process.exit(1);
  }
  return `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
}

/** Written last: an interrupted installation can look like a complete one. */
const complete = join(tools, 'complete');

function isInstalled(wanted) {
  if (wanted.length === 0) return true;
  if (!existsSync(complete) || readFileSync(complete, 'utf8') !== namesOf(wanted)) return false;
  return wanted.every(({ program }) => existsSync(join(tools, 'node_modules', '.bin', program)));
}

function namesOf(wanted) {
  return wanted.map(({ name }) => name).join(' and ');
}

async function install(wanted) {
  if (isInstalled(wanted)) return;
  rmSync(tools, { recursive: true, force: true });
  mkdirSync(tools);
  writeFileSync(join(tools, 'package.json'), '{ "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const names = wanted.map(({ name }) => name);
  await timed(`installing ${namesOf(wanted)} into .tools (this machine has Node ${process.versions.node})`, () =>
    run('npm', ['install', '--prefix', tools, ...options, ...names], { advice: REGISTRY_ADVICE }),
  );
  writeFileSync(complete, namesOf(wanted));
}

function isOlder(version, [oldestMajor, oldestMinor]) {
  const [major, minor] = version.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
