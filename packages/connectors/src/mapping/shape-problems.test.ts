import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { DefinitionProblem } from './definition-error.ts';
import { checkShape } from './shape.ts';
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

test.each([
  [
    { datetime: { coalesce: ['changed', 'created'] } },
    {
      field: 'fields.completedAt.datetime',
      message: '"coalesce" is the input of this function: { from: { coalesce: … } }',
    },
  ],
  [
    { calculate: { operation: 'multiply', of: ['hours', 60] } },
    {
      field: 'fields.completedAt.calculate.of.1',
      message: 'must be a column or an expression; a fixed value is { const: 60 }',
    },
  ],
])('%j is refused with one problem, which shows the right form', (completedAt, problem) => {
  const problems: DefinitionProblem[] = [];
  const fields = { name: 'title', completedAt };
  checkShape({ entity: 'WorkOrder', stream: 'jobs', fields }, 'work-order.yaml', problems);
  expect(problems).toEqual([{ file: 'work-order.yaml', ...problem }]);
});

test('the forms that problems show are valid', () => {
  const problems: DefinitionProblem[] = [];
  const fields = {
    completedAt: { datetime: { from: { coalesce: ['changed', 'created'] } } },
    estimatedHours: { calculate: { operation: 'multiply', of: ['hours', { const: 60 }] } },
  };
  checkShape({ entity: 'WorkOrder', stream: 'jobs', fields }, 'work-order.yaml', problems);
  expect(problems).toEqual([]);
});
