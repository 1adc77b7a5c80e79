import { SystemError } from '@unified/connectors';
import { expect, test } from 'vitest';
import { explainFailure, explainToClient } from './explain-failure.ts';

test('what the driver knows about a failure replaces the general remedy, and is not repeated', () => {
  const explanation = { problem: 'items.csv is empty.', remedy: 'Export it again.' };
  expect(explainFailure(new SystemError('unavailable', 'items.csv is empty', { explanation }))).toEqual(explanation);
  expect(explainFailure(new SystemError('unavailable', 'ECONN', { explanation }))).toEqual({
    problem: 'items.csv is empty. (ECONN)',
    remedy: 'Export it again.',
  });
});

test('a client gets the reason and the remedy, but no login or address of the system', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
  const clientWords = 'The connected system cannot be reached';
  const away = new SystemError('unavailable', refused.message, { clientWords, cause: refused });
  expect(explainToClient(away)).toEqual({
    problem: 'The host refuses connections on this port.',
    remedy: 'Check the port, and that the system is running and listening on this address.',
  });
  expect(
    explainToClient(new SystemError('unauthorized', 'role "erp" is disabled', { clientWords: 'Refused' })),
  ).toEqual({
    problem: 'Refused.',
    remedy: 'Check the credentials: the user name and password, the token, or the client id and client secret.',
  });
});

test('a remedy that a message ends with is not repeated', () => {
  const remedy = 'Check the settings "clientId" and "clientSecret".';
  const words = (address: string) => `${address} refuses the client. Check the settings "clientId" and "clientSecret"`;
  const clientWords = words('The token address');
  const refused = (problem?: string) =>
    new SystemError('unauthorized', words('http://10.0.0.7/token'), {
      clientWords,
      explanation: { remedy, ...(problem !== undefined && { problem }) },
    });
  expect(explainFailure(refused())).toEqual({ problem: 'http://10.0.0.7/token refuses the client.', remedy });
  expect(explainToClient(refused())).toEqual({ problem: 'The token address refuses the client.', remedy });
  const problem = 'http://10.0.0.7/token refuses the client.';
  expect(explainFailure(refused(problem))).toEqual({ problem, remedy });
});
