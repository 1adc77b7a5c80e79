import { describe, expect, it } from 'vitest';
import { deadline } from './deadline.ts';

describe('a deadline', () => {
  it.each([5, 0.5, 0, -3])('comes after %d ms', async (milliseconds) => {
    const signal = deadline(milliseconds);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('may be infinite', () => {
    expect(deadline(Number.POSITIVE_INFINITY).aborted).toBe(false);
  });
});
