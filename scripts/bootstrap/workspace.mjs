import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { step, timed } from '../progress.mjs';
import { root, run } from './run.mjs';
import { isDue, whenChanged } from './stamps.mjs';
import { REGISTRY_ADVICE } from './tools.mjs';

/** The derived parts with their inputs: the server needs only the code; users and clients need the rest. */
const parts = {
  code: {
    from: ['openapi', 'packages/contract/generate'],
    to: ['packages/contract/generated/validators.json'],
    run: ['packages/contract/generate/index.ts', '--only', 'code'],
  },
  browser: {
    from: ['browser-files.ts', 'browser-file.ts', 'browser'].map((name) => `packages/server/build/${name}`),
    to: ['packages/server/generated/browser'],
    run: ['packages/server/build/browser-files.ts'],
  },
  types: {
    from: ['openapi', 'packages/contract/generate'],
    to: ['packages/contract/generated/types.ts'],
    run: ['packages/contract/generate/index.ts', '--only', 'types'],
  },
  page: {
    from: [
      ...['openapi', 'packages/contract/generate'],
      ...['build', 'src/reference', 'package.json'].map((name) => `packages/server/${name}`),
    ],
    to: ['packages/server/generated/docs'],
    run: ['packages/server/build/docs.ts'],
  },
  client: {
    from: ['openapi', 'packages/contract/generate', 'packages/sdk/build', 'packages/sdk/src'],
    to: ['packages/sdk/dist'],
    run: ['packages/sdk/build/build.ts'],
  },
  console: {
    from: [
      ...['openapi', 'packages/contract/generate', 'packages/sdk/build', 'packages/sdk/src'],
      ...['build', 'src', 'public', 'index.html', 'package.json'].map((name) => `packages/console/${name}`),
    ],
    to: ['packages/server/generated/console'],
    run: ['packages/console/build/build.ts'],
  },
};

/** The parts whose inputs have changed. */
export function dueOf(names) {
  return names.filter((part) => isDue(part, parts[part].from, parts[part].to));
}

/** Installs the dependencies if a manifest has changed. */
export async function install(env) {
  const manifests = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`),
  ];
  const args = ['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn'];
  await whenChanged('install', manifests, [join('node_modules', '.pnpm')], () =>
    timed('installing dependencies', () => run('pnpm', args, { env, advice: REGISTRY_ADVICE })),
  );
}

/** Derives the files that a server needs. */
export async function deriveCode(env, options) {
  const due = dueOf(['code', 'browser']);
  if (due.length > 0) await timed('deriving code', () => derive(due, env, options));
}

/**
 * Derives the files that users and clients need. The client is built from the types, and the console from the client. The page
 * depends on none of them.
 */
export async function deriveRest(env, { isBeside, ...options }) {
  const due = dueOf(['types', 'page', 'client', 'console']);
  if (due.length === 0) return;
  const make = async () => {
    const rest = due.filter((part) => part !== 'page');
    await Promise.all([
      derive(
        due.filter((part) => part === 'page'),
        env,
        options,
      ),
      derive(rest, env, options),
    ]);
  };
  if (!isBeside) return timed('deriving types, the client, the console and the reference', make);
  const began = performance.now();
  await make();
  step(
    `the reference, the client and the console are ready, after ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
}

async function derive(names, env, options) {
  for (const part of names) {
    const { from, to, run: args } = parts[part];
    await whenChanged(part, from, to, () => runModule(args, env, options));
  }
}

function runModule([module, ...args], env, { isVerbose }) {
  const isDetailed = isVerbose && module.startsWith('packages/contract');
  const flags = ['--disable-warning=ExperimentalWarning', join(root, module), ...args];
  const advice = 'The lines above name the file of openapi/ to correct.';
  return run('node', [...flags, ...(isDetailed ? ['--verbose'] : [])], { env, advice, verbose: isVerbose });
}
