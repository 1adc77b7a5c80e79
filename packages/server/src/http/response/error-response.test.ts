import { ServiceError } from '@unified/contract';
import { describe, expect, it } from 'vitest';
import { errorResponse } from './error-response.ts';

describe('an error', () => {
  it('of the table is returned with its status, message and details', () => {
    const error = new ServiceError('SERVICE_NOT_FOUND', 'Look elsewhere.', { details: [{ id: 'x' }] });
    expect(errorResponse(error)).toEqual({
      status: 404,
      body: { code: 'SERVICE_NOT_FOUND', message: 'Look elsewhere.', details: [{ id: 'x' }] },
      headers: {},
    });
  });

  it('states when to retry and how to authenticate', () => {
    const limited = new ServiceError('SERVICE_RATE_LIMITED', 'Wait.', { retryAfter: 7 });
    expect(errorResponse(limited).headers).toEqual({ 'Retry-After': '7' });
    expect(errorResponse(new ServiceError('SERVICE_UNAUTHORIZED', 'Send a token.')).headers).toHaveProperty(
      'WWW-Authenticate',
    );
  });

  it.each([new TypeError('secret is undefined'), 'secret', undefined, { message: 'secret' }])(
    'that is internal is returned without its message: %s',
    (error) => {
      const { status, body } = errorResponse(error);
      expect([status, body]).toEqual([500, { code: 'SERVICE_INTERNAL', message: expect.any(String) }]);
      expect(JSON.stringify(body)).not.toContain('secret');
    },
  );
});
