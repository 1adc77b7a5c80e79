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

test('an error of several attempts is logged with each of them, and a circle of causes ends', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');
  expect(loggedError(new AggregateError([refused], ''))).toMatchObject({ errors: [{ message: refused.message }] });
  refused.cause = refused;
  expect(JSON.stringify(loggedError(refused)).match(/ECONNREFUSED 127.0.0.1:1"/g)).toHaveLength(5);
});

test('what is thrown without being an error is logged as text', () => {
  expect(loggedError('lost')).toEqual({ type: 'string', message: 'lost' });
});
