import { expect, test } from 'vitest';
import { SystemError } from './system-error.ts';

test.each([
  ['a NUL', 'bad\0x', 'bad\ufffdx'],
  [
    'other control characters',
    'bell\u0007 escape\u001b[31m delete\u007f next\u0085',
    'bell� escape�[31m delete� next�',
  ],
  ['half of a surrogate pair', 'bad\ud800x\udc00', 'bad\ufffdx\ufffd'],
])('the message from a system has U+FFFD instead of %s', (_, words, shown) => {
  expect(new SystemError('rejected', words)).toMatchObject({ words: shown, message: `rejected: ${shown}` });
});

test('lines, tabs and characters of any language stay in the message from a system', () => {
  const words = 'Größe\tfalsch:\r\n日本 😀';
  expect(new SystemError('rejected', words).words).toBe(words);
});

test('the message from a system is cut at 2,000 characters, never within one', () => {
  expect(new SystemError('rejected', 'x'.repeat(2_001)).words).toBe(`${'x'.repeat(1_999)}…`);
  expect(new SystemError('rejected', `${'x'.repeat(1_998)}😀😀`).words).toBe(`${'x'.repeat(1_998)}\ufffd…`);
});

test('a failure that is explained keeps everything else', () => {
  const failure = new SystemError('rejected', 'Table T is locked', {
    ...{ clientWords: 'A table is locked', columns: ['code'], changedRows: { added: ['1'], removed: [] } },
    ...{ retryAfter: 7, isUnread: true, cause: 'locked' },
  });
  const explained = failure.explained({ remedy: 'Wait.' });
  expect({ ...explained }).toEqual({ ...failure, explanation: { remedy: 'Wait.' } });
  expect([explained.message, explained.cause]).toEqual([failure.message, failure]);
});
