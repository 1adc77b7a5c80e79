// Entry of every npm script. Runs on Node 20 with nothing installed: it brings the pinned Node and pnpm when the
// machine's own are too old, installs and generates what changed since the last time, then hands over.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverEnvironment, serverFlags } from './server-flags.mjs';

const NODE = '24.21.0';
const OLDEST_NODE = [22, 19];
const PNPM = '10.34.9';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const parent = process.ppid;
const tools = join(root, '.tools');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const script = (path) => ['node', [join(root, 'scripts', path)]];

const derivedFrom = [
  'openapi',
  'redocly.yaml',
  'packages/contract/generate',
  'packages/server/build',
  'packages/sdk/build',
  'packages/sdk/src',
];
const derived = ['packages/contract/generated', 'packages/server/generated', 'packages/sdk/dist'];

/** What each command runs, in order, after the preparation; extra arguments go to the last one. */
const commands = {
  start: {
    about: 'start PostgreSQL, the sandbox company and the server',
    run: [['node', [...serverFlags, join(root, 'scripts/start.mjs')]]],
    env: serverEnvironment,
  },
  test: { about: 'run every test that needs nothing but this checkout', run: [[bin('vitest'), ['run']]] },
  connect: {
    about: 'connect a running system, for example: npm run connect -- tryton --url …',
    run: [script('connect.ts')],
  },
  bench: { about: 'measure the budgets of the architecture', run: [script('bench/index.ts')] },
  drift: {
    about: 'check that generation is reproducible and breaks no released contract',
    run: [
      ['node', [join(root, 'packages/contract/generate/check.ts')]],
      ['node', [join(root, 'packages/contract/generate/diff.ts')]],
    ],
  },
  'front-door': {
    about: 'start twice in an empty data directory, as a new user would',
    run: [script('front-door.ts')],
  },
  generate: { about: 'derive code from the OpenAPI document', run: [] },
  typecheck: { about: 'check all types', run: [[bin('tsc'), ['-b']]] },
  lint: {
    about: 'check the document, the code style and the layers',
    run: [
      [bin('redocly'), ['lint']],
      [bin('biome'), ['check', '--error-on-warnings']],
      [bin('depcruise'), ['--config', 'dependency-cruiser.config.mjs', 'packages', 'scripts']],
    ],
  },
};

const [name = '', ...rest] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  const lines = Object.entries(commands).map(([key, { about }]) => `  npm run ${key.padEnd(11)} ${about}`);
  console.error(`Usage: npm run <command> [-- options]\n\n${lines.join('\n')}`);
  process.exit(name === '' || name === '--help' ? 0 : 2);
}

const env = prepareTools();
if (!rest.includes('--help')) prepareWorkspace();
await handOver();

/** Environment in which `node` and `pnpm` are new enough; downloads only what is too old or missing. */
function prepareTools() {
  const missing = [];
  const [major, minor] = process.versions.node.split('.').map(Number);
  const nodeIsOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (nodeIsOld && process.platform === 'darwin') {
    console.error(
      `This machine has Node ${process.versions.node}; install Node 24 (or 22.19 and newer), then run the command again.`,
    );
    process.exit(1);
  }
  if (nodeIsOld)
    missing.push([`node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`, NODE]);
  const pnpm = spawnSync('pnpm', ['--version'], { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
  if (pnpm.status !== 0 || !pnpm.stdout.trim().startsWith('10.')) missing.push(['pnpm', PNPM]);

  const wanted = missing
    .filter(([pkg, version]) => installedVersion(pkg) !== version)
    .map(([pkg, version]) => `${pkg}@${version}`);
  if (wanted.length > 0) {
    step(`bringing ${wanted.join(' and ')} into .tools (this machine has Node ${process.versions.node})`);
    mkdirSync(tools, { recursive: true });
    const manifest = join(tools, 'package.json');
    if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
    run(
      'npm',
      ['install', '--prefix', tools, '--no-audit', '--no-fund', '--loglevel=error', ...wanted],
      process.env,
      'Check that the npm registry can be reached, then run the command again.',
    );
  }
  return {
    ...process.env,
    PATH: [join(tools, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
}

function installedVersion(pkg) {
  const manifest = join(tools, 'node_modules', pkg, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

/** Installs and generates; each only when its input changed. */
function prepareWorkspace() {
  const manifests = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...readdirSync(join(root, 'packages')).map((p) => `packages/${p}/package.json`),
  ];
  whenChanged('install', manifests, [join('node_modules', '.pnpm')], () => {
    step('installing dependencies');
    run(
      'pnpm',
      ['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn'],
      env,
      'Check that the npm registry can be reached, then run the command again.',
    );
  });
  whenChanged('generate', derivedFrom, derived, () => {
    step('deriving code, the client and the reference page from openapi/');
    for (const module of [
      'packages/contract/generate/index.ts',
      'packages/server/build/docs.ts',
      'packages/sdk/build/build.ts',
    ]) {
      run(
        'node',
        ['--disable-warning=ExperimentalWarning', join(root, module)],
        env,
        'The lines above name the file of openapi/ to mend.',
      );
    }
  });
}

/** Runs `make` unless the inputs are what they were when it last succeeded and its outputs are there. */
function whenChanged(stamp, inputs, outputs, make) {
  const hash = createHash('sha256').update(process.version);
  for (const input of inputs) addToHash(hash, input);
  const digest = hash.digest('hex');
  const file = join(root, 'node_modules', `.${stamp}-stamp`);
  const made = outputs.every((output) => existsSync(join(root, output)));
  if (made && existsSync(file) && readFileSync(file, 'utf8') === digest) return;
  make();
  writeFileSync(file, digest);
}

function addToHash(hash, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    // What is made among the inputs is an output.
    const outputs = new Set(['generated', '.types']);
    for (const entry of readdirSync(full).sort()) if (!outputs.has(entry)) addToHash(hash, join(path, entry));
    return;
  }
  hash.update(path).update('\0').update(readFileSync(full)).update('\0');
}

/** Runs the command itself; the last program gets the extra arguments and our signals, and decides the exit code. */
async function handOver() {
  const programs = command.run.map(([program, args], i) => [
    program,
    i === command.run.length - 1 ? [...args, ...rest] : args,
  ]);
  for (const [program, args] of programs) {
    const code = await new Promise((resolve) => {
      const node = program === 'node' ? ['--disable-warning=ExperimentalWarning', ...args] : args;
      const child = spawn(program, node, {
        cwd: root,
        env: { ...env, ...command.env },
        stdio: 'inherit',
        shell: process.platform === 'win32',
      });
      child.on('exit', (status, signal) => resolve(status ?? (signal === 'SIGINT' ? 130 : 1)));
      child.on('error', (error) => {
        console.error(`${program}: ${error.message}`);
        resolve(1);
      });
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
      whenNpmEnds(() => child.kill('SIGTERM'));
    });
    if (code !== 0) process.exit(code);
  }
}

/** A signal to npm alone ends npm and its shell, which does not pass it on: what they started would live for ever. */
function whenNpmEnds(stop) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500).unref();
}

function run(program, args, environment, advice) {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(`\n✗ ${program} ${args[0]} failed${error ? `: ${error.message}` : ''}. ${advice}`);
  process.exit(1);
}

function step(text) {
  console.error(`▸ ${text}`);
}
