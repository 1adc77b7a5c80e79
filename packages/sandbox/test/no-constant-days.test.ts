import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../src/folders.ts';

/** A day from 2022 on: 20221101, 2022-11-01 or 01.11.2022. Founding days and former tax rates are older. */
const DAY = /\b20(2[2-9]|[3-9]\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?!\d)|\b\d\d\.\d\d\.20(2[2-9]|[3-9]\d)\b/;
/** The arguments of a day: Date.UTC(2022, 10, 1). */
const YEAR = /(Date\.UTC|new Date)\(\s*20\d\d\b/;

test('days of the company are counted from the day of the seed, never constants', () => {
  const files = globSync(['src/**/*.ts', 'sql/**/*.sql'], { cwd: packageFolder });
  const lines = files.flatMap((file) =>
    readFileSync(join(packageFolder, file), 'utf8')
      .split('\n')
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(lines.filter((line) => DAY.test(line) || YEAR.test(line))).toEqual([]);
});
