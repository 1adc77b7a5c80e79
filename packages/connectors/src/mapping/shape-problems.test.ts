import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { shapeProblems } from './shape-problems.ts';

test.each([
  [{ enum: ['.', ',', 1] }, 'must be equal to one of the allowed values: ".", ",", 1'],
  [{ const: 'default' }, 'must be "default"'],
  [{ const: true }, 'must be true'],
])('a value that %o refuses is reported with the allowed values', (word, message) => {
  const validate = new Ajv2020({ allErrors: true, verbose: true }).compile({ properties: { word } });
  validate({ word: 'x' });
  expect(shapeProblems('a.yaml', validate.errors ?? [])).toEqual([{ file: 'a.yaml', field: 'word', message }]);
});
