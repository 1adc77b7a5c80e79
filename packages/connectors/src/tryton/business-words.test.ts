import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Models of business modules. Those of `ir` and `res` belong to the protocol: every database has them. */
const MODEL = /['"`](account|company|country|currency|party|product|production|project|purchase|sale|stock)\.[a-z]/;
const ROLE = /['"`](supplier|customer|vendor)s?['"`]/;

test('the driver contains no business terms: models and roles are named by the platform', () => {
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
  const lines = files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(15);
  expect(lines.filter((line) => MODEL.test(line) || ROLE.test(line))).toEqual([]);
});
