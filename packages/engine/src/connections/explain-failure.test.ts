import { SystemError } from '@unified/connectors';
import { expect, test } from 'vitest';
import { explainFailure } from './explain-failure.ts';

test('what the driver knows about a failure replaces the general remedy, and is not repeated', () => {
  const explanation = { problem: 'items.csv is empty.', remedy: 'Export it again.' };
  expect(explainFailure(new SystemError('unavailable', 'items.csv is empty', { explanation }))).toEqual(explanation);
  expect(explainFailure(new SystemError('unavailable', 'ECONN', { explanation }))).toEqual({
    problem: 'items.csv is empty. (ECONN)',
    remedy: 'Export it again.',
  });
});
