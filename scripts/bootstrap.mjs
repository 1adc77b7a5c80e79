// Entry of every npm script. Runs on Node 20 with nothing installed: it downloads the pinned Node and pnpm if those of the
// machine are too old, installs and generates what has changed since the last run, then runs the command.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handOver } from './bootstrap/hand-over.mjs';
import { bin, root } from './bootstrap/run.mjs';
import { prepareTools } from './bootstrap/tools.mjs';
import { deriveCode, deriveRest, dueOf, install } from './bootstrap/workspace.mjs';
import { step } from './progress.mjs';
import { serverEnvironment, serverFlags } from './server-flags.mjs';

/** Marks a second run of this script that works alongside the server. */
const BESIDE = '--beside';

const LIST_ENTITIES = join(root, 'packages/contract/generate/list-entities.ts');
const script = (path) => ['node', [join(root, 'scripts', path)]];

/**
 * What each command runs, in order, after the preparation; extra arguments go to the last program. `later` is derived while it
 * runs instead of beforehand. `first` changes the inputs of everything else.
 */
const commands = {
  start: {
    about: 'start PostgreSQL, the sandbox company and the server',
    run: [['node', [...serverFlags, join(root, 'scripts/start.mjs')]]],
    env: serverEnvironment,
    later: ['types', 'page', 'client', 'console'],
  },
  test: { about: 'run every test that needs only this checkout', run: [[bin('vitest'), ['run']]] },
  connect: {
    about: 'connect a running system, for example: npm run connect -- tryton --url …',
    run: [script('connect.mjs')],
    later: [],
  },
  connector: {
    about: 'check a platform on a running system: npm run connector -- --help',
    run: [script('connector.mjs')],
    later: [],
  },
  admin: {
    about: 'manage applications, their secrets and tokens: npm run admin -- --help',
    run: [script('admin.mjs')],
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
  generate: { about: 'derive code from the OpenAPI document; -- --verbose prints details', run: [] },
  entities: {
    about: 'add new files below openapi/entities/ to the OpenAPI document and to what is derived from it',
    first: [['node', [LIST_ENTITIES]]],
    run: [script('platform-tables.ts')],
  },
  typecheck: { about: 'check all types', run: [[bin('tsc'), ['-b']]] },
  lint: {
    about: 'check the document, the code style, the texts and the layers',
    run: [
      ['node', [LIST_ENTITIES, '--check']],
      [bin('redocly'), ['lint']],
      [bin('biome'), ['check', '--error-on-warnings']],
      [bin('vitest'), ['run', 'scripts/prose.test.ts', '--reporter=dot']],
      [bin('depcruise'), ['--config', 'dependency-cruiser.config.mjs', 'packages', 'scripts']],
      [bin('depcruise'), ['--config', 'dependency-cruiser.folders.config.mjs', 'packages']],
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

const options = { isVerbose: name === 'generate' && rest.includes('--verbose'), isBeside: rest.includes(BESIDE) };
const env = await prepareTools();
await install(env);
await handOver(command.first ?? [], env);
await deriveCode(env, options);
if (!command.later) await deriveRest(env, options);
await handOver(withArguments(command.run), { ...env, ...command.env }, () => {
  if (!rest.includes('--help') && dueOf(command.later ?? []).length > 0) deriveBeside();
});

function withArguments(programs) {
  return programs.map(([program, args], index) => [program, index === programs.length - 1 ? [...args, ...rest] : args]);
}

/** Derives the parts that the server does not need while it starts, at a lower priority than the server. */
function deriveBeside() {
  step('building the reference, the client and the console in the background');
  const self = [fileURLToPath(import.meta.url), 'generate', BESIDE];
  const child = spawn(process.execPath, self, { cwd: root, env: process.env, stdio: ['ignore', 'ignore', 'inherit'] });
  child.on('error', (error) => step(`the reference, the client and the console cannot be built: ${error.message}`));
  if (child.pid !== undefined) setPriority(child.pid, 10);
  child.unref();
  process.once('exit', () => child.kill());
}
