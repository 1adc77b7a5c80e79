import { expect, it } from 'vitest';
import { LargeBodies } from './large-bodies.ts';

/** Whether a body of each of these applications is admitted, one after another, while none of them ends. */
function admitted(bodies: LargeBodies, owners: readonly string[]): boolean[] {
  return owners.map((owner) => {
    try {
      bodies.enter(owner);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
      return false;
    }
  });
}

it('one body of an application is admitted, and four in total', () => {
  const sent = ['a', 'a', 'b', 'c', 'd', 'e', 'a'];
  expect(admitted(new LargeBodies(), sent)).toEqual([true, false, true, true, true, false, false]);
});

it('a body that ends makes room for exactly one other, however often its end is reported', () => {
  const bodies = new LargeBodies();
  const end = bodies.enter('a');
  admitted(bodies, ['b', 'c', 'd']);
  end();
  end();
  expect(admitted(bodies, ['b', 'e', 'a'])).toEqual([false, true, false]);
});
