import { describe, expect, it } from 'vitest';
import { parsePrefer } from './queue-write.ts';

describe('Prefer', () => {
  it.each([
    [undefined, { milliseconds: 10_000 }],
    ['', { milliseconds: 10_000 }],
    ['return=minimal', { milliseconds: 10_000 }],
    ['respond-async', { milliseconds: 0, asynchronous: true, applied: 'respond-async' }],
    ['Respond-Async; foo', { milliseconds: 0, asynchronous: true, applied: 'respond-async' }],
    ['wait=5', { milliseconds: 5_000, applied: 'wait=5' }],
    ['wait="5"', { milliseconds: 5_000, applied: 'wait=5' }],
    ['wait=0', { milliseconds: 0, applied: 'wait=0' }],
    ['wait=600', { milliseconds: 30_000, applied: 'wait=30' }],
    ['respond-async, wait=3', { milliseconds: 3_000, applied: 'wait=3' }],
    ['handling=strict', { milliseconds: 10_000, applied: 'handling=strict' }],
    ['wait=5, handling="strict"', { milliseconds: 5_000, applied: 'handling=strict, wait=5' }],
    ['handling=lenient', { milliseconds: 10_000 }],
    ['wait=-1', { milliseconds: 10_000 }],
    ['wait=soon', { milliseconds: 10_000 }],
  ])('%j', (header, preference) => {
    expect(parsePrefer(header, 10_000)).toEqual({ asynchronous: false, ...preference });
  });

  it('is the write record immediately without a preference or a default wait', () => {
    expect(parsePrefer(undefined, 0)).toEqual({ milliseconds: 0, asynchronous: true });
  });
});
