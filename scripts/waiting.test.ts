import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const files = globSync(
  [
    'packages/*/{src,generate,build,test}/**/*.test.{ts,tsx}',
    'packages/*/test/**/*.{ts,tsx}',
    'packages/testing/src/**/*.ts',
    'scripts/**/*.test.ts',
    'openapi/rules/**/*.test.ts',
    'vitest.config.ts',
  ],
  { cwd: root, exclude: ['**/node_modules/**', 'scripts/waiting.test.ts'] },
);

/** Files that may wait for a fixed time, and why. */
const WAITING: Readonly<Record<string, string>> = {
  'packages/connectors/src/tryton/tryton-incremental.system.test.ts': 'Tryton notes changes by the second',
  'packages/engine/src/kill.db.test.ts': 'kills at a random time',
  'packages/engine/src/sync/derive-connection.db.test.ts': 'kills at a random time',
  'packages/engine/src/webhooks/kill-delivery.db.test.ts': 'kills at a random time',
  'packages/engine/test/faulty-system.ts': 'is a slow system',
  'packages/engine/test/harness.ts': 'a database that is unavailable for longer than one try',
  'packages/engine/test/measure.ts': 'measures, and tests nothing',
  'packages/sdk/test/retries.test.ts': 'aborts while the client waits',
  'packages/store/test/moves.ts': 'saves again and again while a move is killed',
  'packages/testing/test/foreign-mcp-server.ts': 'is a slow server',
  'packages/testing/test/kill-activations.test.ts': 'kills at a random time',
  'packages/testing/test/kill-moments.ts': 'kills at a random time',
  'scripts/bootstrap/stamps.test.ts': 'is a slow command',
};

const WAIT = /\bsetTimeout\b|\bsleep\(/;
/** A retry, or a test that does not run. */
const EVASION = /^\s*retry\s*[:,]|[{,]\s*retry:\s*\d|\b(it|test|describe)\.(only|skip|todo|fails)\b/m;

/** A test that does not run everywhere, or ends early. */
const CONDITION = /\b(skipIf|runIf)\(|\bskip\(/;

/** Files with tests that do not run everywhere, and why. */
const CONDITIONAL: Readonly<Record<string, string>> = {
  'packages/store/src/embedded/one-host.db.test.ts': 'only Linux identifies the boot and the namespaces of a process',
  'packages/store/src/embedded/postmaster.test.ts': 'only Linux states in /proc that a process is a zombie',
};

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

it('tests wait for an event, not for a fixed time', () => {
  expect(files.length).toBeGreaterThan(250);
  expect(files.filter((file) => WAIT.test(textOf(file))).toSorted()).toEqual(Object.keys(WAITING));
});

it('every test runs, and passes on its first try', () => {
  expect(files.filter((file) => EVASION.test(textOf(file)))).toEqual([]);
});

it('a test that does not run everywhere states why', () => {
  expect(files.filter((file) => CONDITION.test(textOf(file))).toSorted()).toEqual(Object.keys(CONDITIONAL));
});
