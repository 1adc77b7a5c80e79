import { expect, test } from 'vitest';
import { refusalOf, TrytonWarning } from './response.ts';

test.each([
  [['UserError', ['The code on party must be unique.', '', null]], 'rejected', 'The code on party must be unique.'],
  [
    ['UserError', ['Not allowed.', 'Ask your administrator.', null]],
    'rejected',
    'Not allowed. Ask your administrator.',
  ],
  [
    ['ConcurrencyException', 'Records were modified in the meanwhile'],
    'conflict',
    'Records were modified in the meanwhile',
  ],
  [['ConcurrencyException', ['Records were modified']], 'conflict', 'Records were modified'],
  [
    ['LoginException', ['code', 'Enter the code', 'char']],
    'unauthorized',
    'Enter the code Tryton asks for more than a password',
  ],
  [["'nofield'", 'Traceback …'], 'rejected', "'nofield'"],
  [['RateLimitException', ['']], 'throttled', 'Tryton takes no more calls for now'],
  [['database is locked', ''], 'conflict', 'database is locked'],
  [[''], 'invalid', 'Tryton reports an error without words'],
  ['broken', 'invalid', 'Tryton reports an error without words'],
  [{ code: 1 }, 'invalid', 'Tryton reports an error without words'],
])('%j is %s: %s', (error, kind, words) => {
  expect(refusalOf(error)).toMatchObject({ kind, words });
});

test('a warning keeps the key by which it is confirmed', () => {
  const warning = refusalOf(['UserWarning', ['7@product_template', 'You are about to change the unit.', 'Sure?']]);
  expect(warning).toBeInstanceOf(TrytonWarning);
  expect(warning).toMatchObject({
    kind: 'rejected',
    key: '7@product_template',
    words: 'You are about to change the unit. Sure?',
  });
});
