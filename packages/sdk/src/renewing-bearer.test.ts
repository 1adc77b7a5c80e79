import { expect, test } from 'vitest';
import { renewingBearer } from './renewing-bearer.ts';

const HOUR = 3_600_000;

/** A bearer whose tokens are numbered and valid for an hour, and its clock. */
function started() {
  const state = { time: 0, issued: 0 };
  const issue = async () => ({ token: `t${++state.issued}`, expiresAt: state.time + HOUR });
  return { state, bearer: renewingBearer(issue, () => state.time) };
}

test('a token is issued once for concurrent requests, and kept', async () => {
  const { bearer } = started();
  expect(await Promise.all([bearer.current(), bearer.current()])).toEqual(['t1', 't1']);
  expect(await bearer.current()).toBe('t1');
});

test('it is renewed once before it expires', async () => {
  const { bearer, state } = started();
  await bearer.current();
  state.time = HOUR - 61_000;
  expect(await bearer.current()).toBe('t1');
  state.time = HOUR - 60_000;
  expect(await Promise.all([bearer.current(), bearer.current()])).toEqual(['t2', 't2']);
});

test('it is renewed once after it was refused', async () => {
  const { bearer } = started();
  await bearer.current();
  expect(await Promise.all([bearer.renewed('t1'), bearer.renewed('t1')])).toEqual(['t2', 't2']);
  expect(await bearer.renewed('t1')).toBe('t2');
});

test('it is requested again after it could not be issued', async () => {
  let failures = 1;
  const bearer = renewingBearer(async () => {
    if (failures-- > 0) throw new Error('not now');
    return { token: 't', expiresAt: Number.POSITIVE_INFINITY };
  });
  await expect(bearer.current()).rejects.toThrow('not now');
  expect(await bearer.current()).toBe('t');
});
