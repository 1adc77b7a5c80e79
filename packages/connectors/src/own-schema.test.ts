import { globSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

const files = globSync('**/*.schema.json', { cwd: import.meta.dirname });

test('the schemas of platforms, mappings and options are found', () => {
  expect(files.length).toBeGreaterThanOrEqual(6);
});

test.each(files)('%s is a valid JSON Schema', (file) => {
  const schema = JSON.parse(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));
  const ajv = new Ajv2020();
  expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
});
