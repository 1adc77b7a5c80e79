import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));

/**
 * Files that may use the mappings of a platform: those that build the model, and the startup of workers, which needs only
 * streams.
 */
const seam = [
  ...['model/connection-model.ts', 'model/revised-model.ts', 'model/systems.ts', 'jobs/due-jobs.ts'],
  // This file compares the mappings of a connection with those of its platform.
  'field-mappings/mapped-connection.ts',
];

const PLATFORM_ITSELF =
  /\bplatform\.mappings\b|\bplatform\.broken\b|\bplatformOf\(|\bmappings[^;=]*\}\s*(=|:)\s*(\w+\.)*platform\b/;

test('the engine reads mappings from the model of a connection, never from its platform', () => {
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts') && !seam.includes(file));
  const readers = files.filter((file) => PLATFORM_ITSELF.test(readFileSync(join(src, file), 'utf8')));
  expect(files.length).toBeGreaterThan(40);
  expect(readers).toEqual([]);
});
