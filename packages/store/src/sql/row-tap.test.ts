import { describe, expect, it } from 'vitest';
import { RowTap } from './row-tap.ts';

/** A message of PostgreSQL: its kind, its length and its content. */
function message(kind: string, content: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(kind, 'latin1');
  header.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([header, content]);
}

const complete = (text: string) => message('C', Buffer.from(`${text}\0`));
const row = (text: string) => message('D', Buffer.from(text));

/**
 * What arrives at the sink and at the parser, in order, when the stream arrives in these parts, each in the same memory. The
 * parser keeps what it receives.
 */
function received(parts: readonly Buffer[], hasSink = true): string[] {
  const tap = new RowTap();
  const log: { kind: 'row' | 'other'; bytes: Buffer }[] = [];
  tap.on('data', (bytes: Buffer) => {
    const last = log.at(-1);
    if (last?.kind === 'other') last.bytes = Buffer.concat([last.bytes, bytes]);
    else log.push({ kind: 'other', bytes });
  });
  if (hasSink) {
    const addRow = (bytes: Buffer, start: number, end: number) =>
      void log.push({ kind: 'row', bytes: Buffer.from(bytes.subarray(start, end)) });
    tap.sink = { addRow };
  }
  const memory = Buffer.alloc(BYTES.length);
  for (const part of parts) {
    part.copy(memory);
    tap.push(memory.subarray(0, part.length));
    memory.fill('?');
  }
  return log.map(({ kind, bytes }) => `${kind} ${bytes.toString('latin1')}`);
}

const STREAM = [
  ...[complete('bind'), row('first'), row(''), complete('half'), complete('time'), row('D'.repeat(40)), row('last')],
  complete('end'),
];
const BYTES = Buffer.concat(STREAM);
const EXPECTED = [
  `other ${complete('bind').toString('latin1')}`,
  ...['row first', 'row '],
  `other ${Buffer.concat([complete('half'), complete('time')]).toString('latin1')}`,
  ...[`row ${'D'.repeat(40)}`, 'row last'],
  `other ${complete('end').toString('latin1')}`,
];

describe('a tap of rows', () => {
  it('passes rows to the sink and everything else to the parser, in order', () => {
    expect(received([BYTES])).toEqual(EXPECTED);
  });

  it('finds the same rows wherever the stream is cut', () => {
    for (let first = 1; first < BYTES.length; first += 1) {
      for (let second = first + 1; second <= BYTES.length; second += 1) {
        const parts = [BYTES.subarray(0, first), BYTES.subarray(first, second), BYTES.subarray(second)];
        expect(received(parts), `cut at ${first} and ${second}`).toEqual(EXPECTED);
      }
    }
  });

  it('finds the same rows in single bytes', () => {
    expect(received([...BYTES].map((byte) => Buffer.from([byte])))).toEqual(EXPECTED);
  });

  it('passes everything to the parser without a sink, unchanged', () => {
    const cut = [BYTES.subarray(0, 30), BYTES.subarray(30, 31), BYTES.subarray(31)];
    expect(received(cut, false)).toEqual([`other ${BYTES.toString('latin1')}`]);
  });
});
