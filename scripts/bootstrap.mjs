// Entry of every npm script. Runs on Node 20 with nothing installed: it brings the pinned Node and pnpm when the
// machine's own are too old, installs and generates what changed since the last time, then hands over.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { step, timed } from './progress.mjs';
import { serverEnvironment, serverFlags } from './server-flags.mjs';

const NODE = '24.21.0';
const OLDEST_NODE = [22, 19];
const PNPM = '10.34.9';

/** Tells a second run of this script that it works beside the server. */
const BESIDE = '--beside';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const parent = process.ppid;
const tools = join(root, '.tools');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const script = (path) => ['node', [join(root, 'scripts', path)]];

/** What is derived, each part from its inputs: the server needs the code alone; people and clients need the rest. */
const parts = {
  code: {
    from: ['openapi', 'packages/contract/generate'],
    to: ['packages/contract/generated/validators.json'],
    run: ['packages/contract/generate/index.ts', '--only', 'code'],
  },
  types: {
    from: ['openapi', 'packages/contract/generate'],
    to: ['packages/contract/generated/types.ts'],
    run: ['packages/contract/generate/index.ts', '--only', 'types'],
  },
  page: {
    from: ['openapi', 'redocly.yaml', 'packages/contract/generate', 'packages/server/build'],
    to: ['packages/server/generated/docs.html'],
    run: ['packages/server/build/docs.ts'],
  },
  client: {
    from: ['openapi', 'packages/contract/generate', 'packages/sdk/build', 'packages/sdk/src'],
    to: ['packages/sdk/dist'],
    run: ['packages/sdk/build/build.ts'],
  },
};

/** What each command runs, in order, after the preparation; extra arguments go to the last one. */
const commands = {
  start: {
    about: 'start PostgreSQL, the sandbox company and the server',
    run: [['node', [...serverFlags, join(root, 'scripts/start.mjs')]]],
    env: serverEnvironment,
    // What is not needed to serve is made beside it.
    later: ['types', 'page', 'client'],
  },
  test: { about: 'run every test that needs nothing but this checkout', run: [[bin('vitest'), ['run']]] },
  connect: {
    about: 'connect a running system, for example: npm run connect -- tryton --url …',
    run: [script('connect.mjs')],
    later: [],
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
    later: [],
  },
  generate: { about: 'derive code from the OpenAPI document; -- --verbose says what', run: [] },
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

const isVerbose = name === 'generate' && rest.includes('--verbose');
const nodeIsOld = isOlder(process.versions.node, OLDEST_NODE);
const env = await prepareTools();
if (!rest.includes('--help')) await prepareWorkspace();
await handOver();

/** Environment in which `node` and `pnpm` are new enough; downloads only what is too old or missing. */
async function prepareTools() {
  const missing = [];
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
    mkdirSync(tools, { recursive: true });
    const manifest = join(tools, 'package.json');
    if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
    await timed(`bringing ${wanted.join(' and ')} into .tools (this machine has Node ${process.versions.node})`, () =>
      run(
        'npm',
        ['install', '--prefix', tools, '--no-audit', '--no-fund', '--loglevel=error', ...wanted],
        process.env,
        'Check that the npm registry can be reached, then run the command again.',
      ),
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

/** Installs and derives; each only when its input changed. */
async function prepareWorkspace() {
  const manifests = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...readdirSync(join(root, 'packages')).map((p) => `packages/${p}/package.json`),
  ];
  await whenChanged('install', manifests, [join('node_modules', '.pnpm')], () =>
    timed('installing dependencies', () =>
      run(
        'pnpm',
        ['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn'],
        env,
        'Check that the npm registry can be reached, then run the command again.',
      ),
    ),
  );
  await derive(['code'], 'deriving code from openapi/');
  if (!command.later) await deriveRest('deriving types, the client and the reference page');
}

/** The client is made from the types. The page depends on neither, and people open it first. */
async function deriveRest(text) {
  const due = dueOf(['types', 'page', 'client']);
  if (due.length === 0) return;
  const make = async () => {
    const rest = due.filter((part) => part !== 'page');
    await Promise.all([derive(due.filter((part) => part === 'page')), derive(rest)]);
  };
  if (!rest.includes(BESIDE)) return timed(text, make);
  const began = performance.now();
  await make();
  step(`the reference page and the client are ready, after ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function derive(names, text) {
  for (const part of names) {
    const { from, to, run: args } = parts[part];
    const make = () => runNode(args);
    await whenChanged(part, from, to, () => (text ? timed(text, make) : make()));
  }
}

function runNode([module, ...args]) {
  const detailed = isVerbose && module.startsWith('packages/contract') ? ['--verbose'] : [];
  return run(
    'node',
    ['--disable-warning=ExperimentalWarning', join(root, module), ...args, ...detailed],
    env,
    'The lines above name the file of openapi/ to correct.',
  );
}

/** Runs `make` unless the inputs are what they were when it last succeeded and its outputs are there. */
async function whenChanged(stamp, inputs, outputs, make) {
  if (!isDue(stamp, inputs, outputs)) return;
  const digest = digestOf(inputs);
  await make();
  writeFileSync(stampFile(stamp), digest);
}

function dueOf(names) {
  return names.filter((part) => isDue(part, parts[part].from, parts[part].to));
}

function isDue(stamp, inputs, outputs) {
  const file = stampFile(stamp);
  const made = outputs.every((output) => existsSync(join(root, output)));
  return !made || !existsSync(file) || readFileSync(file, 'utf8') !== digestOf(inputs);
}

function stampFile(stamp) {
  return join(root, 'node_modules', `.${stamp}-stamp`);
}

/** With the version of Node that programs are run with, which is not always the one that runs this. */
function digestOf(inputs) {
  const hash = createHash('sha256').update(nodeIsOld ? `v${NODE}` : process.version);
  for (const input of inputs) addToHash(hash, input);
  return hash.digest('hex');
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
      if (!rest.includes('--help') && dueOf(command.later ?? []).length > 0) deriveBeside();
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

/** Derives what the server does not need while it starts, and lets it go first where there is little room. */
function deriveBeside() {
  const self = [fileURLToPath(import.meta.url), 'generate', BESIDE];
  const child = spawn(process.execPath, self, { cwd: root, env: process.env, stdio: ['ignore', 'ignore', 'inherit'] });
  child.on('error', (error) => step(`the reference page and the client are not made: ${error.message}`));
  if (child.pid !== undefined) setPriority(child.pid, 10);
  child.unref();
  process.once('exit', () => child.kill());
}

/** Runs a program, and shows what it says only where it fails or somebody asks for it. */
async function run(program, args, environment, advice) {
  const child = spawn(program, args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(data));
  const failure = await new Promise((resolve) => {
    child.on('error', (error) => resolve(`: ${error.message}`));
    child.on('close', (status) => resolve(status === 0 ? undefined : ''));
  });
  if (failure !== undefined || isVerbose) process.stderr.write(`\n${Buffer.concat(said)}`);
  if (failure === undefined) return;
  console.error(`\n✗ ${program} ${args[0]} failed${failure}. ${advice}`);
  process.exit(1);
}

function isOlder(version, [oldestMajor, oldestMinor]) {
  const [major, minor] = version.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
