import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { logConsole } from './log-console.ts';

test('every output of a library becomes a JSON line in the log, including stack traces', () => {
  const lines: string[] = [];
  onTestFinished(logConsole(pino({ level: 'info', base: null }, { write: (line) => lines.push(line) })));
  console.trace(new Error('the job queue lost its database'));
  console.error('Retried %s times, and still failed:', 100, new Error('no connection'));
  console.warn('two\nlines');
  console.debug('below the level');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, from: 'console', msg: 'the job queue lost its database', err: { stack: expect.any(String) } },
    { level: 50, msg: 'Retried 100 times, and still failed:', err: { message: 'no connection' } },
    { level: 40, msg: 'two\nlines' },
  ]);
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
});
