import { expect, test } from 'vitest';
import { loggedError } from './logger.ts';

test('an error is logged with its code and causes, but without its other properties', () => {
  const cause = Object.assign(new TypeError('terminated'), { code: '57P01', client: { secretKey: 12345 } });
  const logged = loggedError(new Error('The database is not reachable.', { cause }));
  expect(logged).toEqual({
    ...{ type: 'Error', message: 'The database is not reachable.', stack: expect.stringContaining('logger.test') },
    cause: { type: 'TypeError', message: 'terminated', code: '57P01', stack: expect.stringContaining('logger.test') },
  });
});

test('what is thrown without being an error is logged as text', () => {
  expect(loggedError('lost')).toEqual({ type: 'string', message: 'lost' });
});
