import { expect, test, vi } from 'vitest';
import { type BreakOff, ResponseMemory, Share } from './response-memory.ts';

const LONG = 600_000;

/** An application may render 100 bytes concurrently and use 500. Waits are recorded in the order in which they end. */
function memoryOf(breakOff: BreakOff = () => false) {
  const limits = { totalBytes: 1_000, renderingBytes: 400, waitMs: LONG, patienceUnderPressureMs: LONG };
  const memory = new ResponseMemory(limits, breakOff);
  const begun: string[] = [];
  const reserve = (owner: string, bytes: number, name: string) => {
    const share = new Share(owner);
    const waiting = memory.reserve(share, bytes);
    if (waiting) void waiting.then(() => begun.push(name));
    else begun.push(name);
    return share;
  };
  return { memory, begun, reserve };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('large responses of one application are rendered one at a time, and do not delay other applications', async () => {
  const { memory, begun, reserve } = memoryOf();
  const first = reserve('one', LONG, 'large');
  reserve('one', LONG, 'second large');
  reserve('other', LONG, 'large of the other');
  expect(begun).toEqual(['large', 'large of the other']);
  memory.resize(first, 0);
  await settled();
  expect(begun).toEqual(['large', 'large of the other', 'second large']);
});

test('a small response does not wait for the large ones of the same application', async () => {
  const { memory, begun, reserve } = memoryOf();
  const large = reserve('one', LONG, 'large');
  reserve('one', LONG, 'second large');
  reserve('one', 20, 'small');
  expect(begun).toEqual(['large', 'small']);
  reserve('one', 20, 'second small');
  expect(begun).toEqual(['large', 'small']);
  memory.resize(large, 0);
  await settled();
  expect(begun).toEqual(['large', 'small', 'second small']);
});

test('an application that uses its half waits until its clients have read', async () => {
  const { memory, begun, reserve } = memoryOf();
  const held = reserve('one', 10, 'held');
  memory.resize(held, 495);
  reserve('one', 10, 'waiting');
  expect(begun).toEqual(['held']);
  memory.resize(held, 400);
  await settled();
  expect(begun).toEqual(['held', 'waiting']);
});

test('requested memory is taken from the application that uses most', () => {
  const held = ['one', 'two'].map((owner) => new Share(owner));
  const brokenOff: string[] = [];
  const { memory, begun, reserve } = memoryOf((leastMs, owner) => {
    const share = held.find((each) => each.owner === owner && each.bytes > 0);
    if (leastMs > 0 || !share) return false;
    brokenOff.push(share.owner);
    memory.resize(share, 0);
    return true;
  });
  held.forEach((share, index) => void memory.resize(share, 498 + index));
  reserve('three', 10, 'small');
  expect([begun, brokenOff]).toEqual([['small'], ['two']]);
});

test('a large response does not wait forever for small ones, nor small ones for it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { memory, begun, reserve } = memoryOf();
    const middle = [reserve('one', 50, 'middle'), reserve('one', 50, 'second middle')];
    const large = reserve('one', LONG, 'large');
    vi.advanceTimersByTime(LONG / 2);
    reserve('one', 30, 'late middle');
    const small = reserve('one', 20, 'small');
    for (const share of middle) memory.resize(share, 0);
    await settled();
    expect(begun).toEqual(['middle', 'second middle', 'small', 'large']);
    memory.resize(small, 0);
    reserve('one', 20, 'second small');
    memory.resize(large, 0);
    await settled();
    expect(begun).toEqual(['middle', 'second middle', 'small', 'large', 'second small', 'late middle']);
  } finally {
    vi.useRealTimers();
  }
});
