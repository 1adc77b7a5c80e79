import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * `*.system.test.ts` need a real connected system, `*.browser.test.ts` a browser, `*.fuzz.test.ts` Schemathesis,
 * `*.clients.test.ts` generators of clients, and `*.statements.test.ts` the statements that a run of all others recorded: the CI
 * installs those and names the suite.
 */
const suites = {
  all: ['packages/**/*.test.ts', 'openapi/rules/**/*.test.{ts,js}', 'scripts/**/*.test.ts'],
  system: ['packages/**/*.system.test.ts'],
  browser: ['packages/**/*.browser.test.ts'],
  fuzz: ['scripts/**/*.fuzz.test.ts'],
  clients: ['packages/**/*.clients.test.ts'],
  statements: ['packages/**/*.statements.test.ts'],
};
/**
 * Tests of data, writes and syncs that run on a Citus cluster as well, besides those that need one. None needs a second database.
 */
const CITUS = [
  ...[
    'packages/**/*.citus.test.ts',
    'packages/store/src/{changes,data-mappings,raw,records,sync,writes}/**/*.db.test.ts',
  ],
  ...[
    'packages/store/src/contents/file-address.db.test.ts',
    'packages/store/src/identity/delete-connection.db.test.ts',
  ],
  ...[
    'packages/engine/src/sync/{row-comparison,stream-order,sync,sync-problems}.db.test.ts',
    'packages/engine/src/write/*.db.test.ts',
  ],
  ...['packages/server/test/{changes,lists,writes}.test.ts'],
];
/** Tests of the plans of one server. */
const PLANS = ['**/*-plans.db.test.ts'];
const NOT_ABOUT_PLANS = /^(?!.*\b(index(es)?|without reading)\b)/;
const suite = (process.env.SUITE ?? 'all') as keyof typeof suites | 'citus';
const apart =
  suite === 'all'
    ? [
        'packages/**/*.citus.test.ts',
        ...Object.entries(suites).flatMap(([name, files]) => (name === 'all' ? [] : files)),
      ]
    : [];

/**
 * Files that take long, longest first: one that begins late would run alone at the end. The first one prepares a company, for which
 * others, such as `moved-installation`, would wait if they began earlier.
 */
const LONG = [
  ...[
    'every-filter',
    'kill-delivery.db',
    'kill.db',
    'connect',
    'package',
    'moved-installation',
    'sync.db',
    'embedded.db',
    'every-operation',
    'several-processes',
    'start',
    'clock.db',
  ],
  ...['kill.system', 'scores.system', 'three-systems.system', 'tryton-mishaps.system', 'random-faults.system'],
  ...['reading.db', 'authorization', 'attachments', 'seed.db', 'older-release', 'every-error', 'takeover.db'],
];

const exclude = ['**/node_modules/**', '**/dist/**', '**/.data/**', ...apart];

const testsIn = (folders: readonly string[]) => folders.map((folder) => `${folder}/**/*.test.{ts,js}`);
/**
 * Files with a process of their own: they start programs, register what a process has once, check which platforms it has, or what
 * it logs in an outage.
 */
const OWN = [
  ...testsIn(['scripts']),
  ...[
    'connectors/src/platforms',
    'connectors/src/mapping/problems',
    'engine/src/outage.db',
    'sdk/test/package',
    'server/test/logs',
    'store/src/sql/failures',
    'testing/test/stopping',
    'testing/test/tracing',
  ].map((name) => `packages/${name}.test.ts`),
];
const SERVICES = testsIn(['packages/testing', 'packages/server/test']);
const DATABASES = ['packages/{connector-kit,connectors,engine,store}/**/*.db.test.ts'];
/**
 * The others share processes, so that each process imports the modules of this repository once. What a file changes in its
 * process, the next one sees; all files of the sandbox, and some of the services, add its platform.
 */
const groups = [
  { name: 'own', isolate: true, include: OWN, exclude },
  { name: 'services', isolate: false, include: SERVICES, exclude: [...exclude, ...OWN] },
  { name: 'databases', isolate: false, include: DATABASES, exclude: [...exclude, ...OWN] },
  { name: 'sandbox', isolate: false, include: testsIn(['packages/sandbox']), exclude },
  {
    ...{ name: 'units', isolate: false, exclude: [...exclude, ...OWN, ...SERVICES, ...DATABASES] },
    include: testsIn([
      'packages/{connector-kit,connectors,console,contract,engine,sdk,server,store,tracing}',
      'openapi/rules',
    ]),
  },
];
/** Tests of one system that run for several of its series; the first one belongs to the suite of all systems. */
const series = [
  { name: 'systems', include: suites.system, exclude, env: { TRYTON_DATABASE: 'postgres' } },
  {
    name: 'tryton-8.2',
    include: [
      'packages/connectors/src/tryton/*.system.test.ts',
      'packages/testing/test/tryton-{every-write,orders}.system.test.ts',
    ],
    exclude,
    env: { TRYTON_SERIES: '8.2', TRYTON_DATABASE: 'postgres' },
  },
].map((test) => ({ extends: true as const, test }));
const projects = groups.map((test) => ({ extends: true as const, test }));

/**
 * Runs the long files first, then group by group: only consecutive files share a process. A first run knows no durations, and
 * the size of a file says little.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? LONG.length + groups.findIndex(({ name }) => name === project.name) : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // Other suites are few files.
    ...(suite === 'all'
      ? { projects }
      : suite === 'system'
        ? { projects: series }
        : suite === 'citus'
          ? { include: CITUS, exclude: [...exclude, ...PLANS], testNamePattern: NOT_ABOUT_PLANS }
          : { include: suites[suite], exclude }),
    // Systems of tests run on this machine.
    env: { ALLOW_PRIVATE_HOSTS: '127.0.0.1, ::1' },
    globalSetup: ['packages/store/test/run-folder.ts'],
    sequence: { sequencer: LongFirst },
    // One more than the two cores of a small machine: files wait for processes and databases for a third of their time.
    maxWorkers: 3,
    // Tests that start processes set more. A page of a browser may take 100 seconds, and then reports what it showed.
    testTimeout: suite === 'system' || suite === 'browser' ? 180_000 : 60_000,
    hookTimeout: 240_000,
    // Awaited events happen much earlier, but a busy machine can be slow. A test reports what it waited for.
    expect: { poll: { timeout: suite === 'system' ? 60_000 : 25_000 } },
  },
});
