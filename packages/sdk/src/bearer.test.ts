import { expect, it } from 'vitest';
import { bearer } from './bearer.ts';

it('requests one new token when two concurrent requests report that theirs was refused', async () => {
  let asked = 0;
  const { current, renewed } = bearer(() => `token-${++asked}`);
  const refused = await current();
  expect(await Promise.all([renewed(refused), renewed(refused)])).toEqual(['token-2', 'token-2']);
  expect(asked).toBe(2);
});
