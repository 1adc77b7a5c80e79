import { expect, test } from 'vitest';
import { refusalOf, resultOf, TrytonWarning } from './response.ts';

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
  [['RateLimitException', ['']], 'throttled', 'Tryton has reached its rate limit'],
  [['database is locked', ''], 'conflict', 'Another user or process is changing the same data'],
  [[''], 'invalid', 'Tryton reports an error without a message'],
  ['broken', 'invalid', 'Tryton reports an error without a message'],
  [{ code: 1 }, 'invalid', 'Tryton reports an error without a message'],
])('%j is %s: %s', (error, kind, words) => {
  expect(refusalOf(error, { changes: true })).toMatchObject({ kind, words });
});

test.each([
  { changes: true, words: 'Tryton had an internal error while writing; its log names it' },
  { changes: false, words: 'Tryton had an internal error while reading; its log names it' },
])('$words: the text of its program or database is only the cause', ({ changes, words }) => {
  const text = 'new row violates check constraint DETAIL:  Failing row contains (7, hunter2, 1234).';
  const error = refusalOf([text, 'Traceback …'], { changes });
  expect(error).toMatchObject({ kind: 'rejected', words, cause: text });
  expect(`${error.message} ${error.stack}`).not.toContain('hunter2');
});

test('the page from another program is also only the cause', () => {
  const page = { status: 200, body: Buffer.from('<title>Payroll</title>'), retryAfter: undefined };
  const failing = () => resultOf(page, { id: 1, changes: false });
  expect(failing).toThrow('invalid: The response is not from Tryton');
  expect(failing).toThrow(expect.objectContaining({ cause: '<title>Payroll</title>' }));
});

test('a warning keeps the key that confirms it', () => {
  const warning = refusalOf(['UserWarning', ['7@product_template', 'You are about to change the unit.', 'Sure?']], {
    changes: true,
  });
  expect(warning).toBeInstanceOf(TrytonWarning);
  expect(warning).toMatchObject({
    kind: 'rejected',
    key: '7@product_template',
    words: 'You are about to change the unit. Sure?',
  });
});
