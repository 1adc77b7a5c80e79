import { expect, test } from 'vitest';
import { operations, type Surface } from './index.ts';

/** The credentials that each surface requires. Operations of OAuth check the credentials in their bodies. */
const REQUIRED: Readonly<Record<Surface, readonly string[]>> = {
  console: ['consoleSession'],
  data: ['connectionToken'],
  management: ['adminToken'],
  mcp: ['personalAccessToken'],
  oauth: [],
  system: [],
};

/** Operations of the console that start a session. */
const SIGNING_IN = [
  'getSignInMethods',
  'createConsoleSession',
  'redeemSignInLink',
  'beginOpenIdSignIn',
  'completeOpenIdSignIn',
];

test('every operation requires the credentials of its surface', () => {
  const others = operations.filter(
    ({ id, surface, security }) => !SIGNING_IN.includes(id) && security.join() !== REQUIRED[surface].join(),
  );
  expect(others.map(({ id, surface, security }) => ({ id, surface, security }))).toEqual([]);
});

test('only the health of the server and the sign-in to the console are open to everyone', () => {
  const signingIn = operations.filter(({ surface, security }) => surface === 'console' && security.length === 0);
  expect(signingIn.map(({ id }) => id)).toEqual(SIGNING_IN);
  expect(operations.filter(({ surface }) => surface === 'system').map(({ id }) => id)).toEqual(['getHealth']);
});
