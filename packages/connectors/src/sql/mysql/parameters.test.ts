import { expect, test } from 'vitest';
import { positional } from './parameters.ts';

test('parameters are replaced in the order of the text, and may be repeated', () => {
  expect(positional('a >= $2 AND (a > $2 OR b > $1)', ['x', 'y'])).toEqual({
    ...{ text: 'a >= ? AND (a > ? OR b > ?)', values: ['y', 'y', 'x'] },
  });
});

test('a $1 in a name or a string is not a parameter', () => {
  const text = 'SELECT `a$1``$2`, \'$1\'\'$2\', "$1""" FROM t WHERE a = $1';
  expect(positional(text, [7])).toMatchObject({ text: text.replace(/\$1$/, '?'), values: [7] });
});
