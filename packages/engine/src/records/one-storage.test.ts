import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));

const STORING = /\b(saveRawRows|deleteRawRows|saveRowProblems|saveRecords|deleteRecords)\b/;

test('a sync and the read-back of a write store rows by the same functions', () => {
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts'));
  const storing = files.filter((file) => STORING.test(readFileSync(join(src, file), 'utf8')));
  expect(storing).toEqual(['records/store-rows.ts']);
});
