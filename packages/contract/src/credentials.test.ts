import { expect, test } from 'vitest';
import { operations, type Surface } from './index.ts';

/** The credentials that each surface requires. Operations of OAuth check the credentials in their bodies. */
const REQUIRED: Readonly<Record<Surface, readonly string[]>> = {
  data: ['connectionToken'],
  management: ['adminToken'],
  mcp: ['personalAccessToken'],
  oauth: [],
  system: [],
};

test('every operation requires the credentials of its surface', () => {
  const others = operations.filter(({ surface, security }) => security.join() !== REQUIRED[surface].join());
  expect(others.map(({ id, surface, security }) => ({ id, surface, security }))).toEqual([]);
});

test('only the health of the server is open to everyone', () => {
  expect(operations.filter(({ surface }) => surface === 'system').map(({ id }) => id)).toEqual(['getHealth']);
});
