import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { compileMapping } from './compile.ts';
import { missingColumns } from './missing-columns.ts';

const mapping = compileMapping(
  {
    entity: 'Employee',
    stream: 'staff',
    where: { path: 'Kind', equals: 'E' },
    display: 'FullNaem',
    updated: { datetime: 'ModifiedDate' },
    fields: {
      code: 'Login',
      name: { concat: { parts: ['First', 'Last'], separator: ' ' } },
      jobTitle: 'JobTitel',
      hireDate: { date: 'Contract.since' },
      isActive: { boolean: { from: 'Flag', true: ['J'] } },
      address: { object: { fields: { city: 'Town' } } },
    },
  },
  { file: 'employee.yaml', entity: entities.Employee },
);

const columns = ['Kind', 'FullName', 'ModifiedDate', 'Login', 'First', 'Last', 'JobTitle', 'Contract', 'Town'].map(
  (name) => ({ name, type: 'text' }),
);

test('a missing column is reported with the most similar one: jobTitle from JobTitel', () => {
  expect(missingColumns(mapping, columns)).toEqual([
    {
      ...{ entity: 'Employee', field: 'jobTitle', path: 'JobTitel', direction: 'read', nearest: 'JobTitle' },
      message: 'staff has no column "JobTitel". Did you mean "JobTitle"?',
    },
    {
      ...{ entity: 'Employee', field: 'isActive', path: 'Flag', direction: 'read', nearest: null },
      message: 'staff has no column "Flag". Correct the mapping.',
    },
    expect.objectContaining({ field: '_displayValue', path: 'FullNaem', nearest: 'FullName' }),
  ]);
});

test('conditions are compared as well', () => {
  const others = columns.filter(({ name }) => name !== 'Kind');
  expect(missingColumns(mapping, others)).toContainEqual(expect.objectContaining({ field: 'where', path: 'Kind' }));
});
