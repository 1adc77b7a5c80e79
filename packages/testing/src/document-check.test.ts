import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkAgainstDocument, JSON_TYPE, operationAt } from './document-check.ts';

const limits = { 'X-RateLimit-Limit': '600', 'X-RateLimit-Remaining': '599', 'X-RateLimit-Reset': '60' };
const named = { 'Write-Id': randomUUID() };

function check(method: string, path: string, status: number, headers: Record<string, string>, body?: object) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = body === undefined ? {} : { 'Content-Type': JSON_TYPE };
  const response = new Response(text || null, { status, headers: { ...limits, ...type, ...headers } });
  return () => checkAgainstDocument(operationAt(method, path), response, text);
}

describe('a response to a write', () => {
  const deleted = (headers: Record<string, string>) => check('DELETE', '/v4/work-orders/1', 204, headers);
  const refused = (headers: Record<string, string>) =>
    check('DELETE', '/v4/work-orders/1', 422, headers, { code: 'SERVICE_REJECTED', message: 'No' });

  it('must name its write record', () => {
    expect(deleted(named)).not.toThrow();
    expect(deleted({})).toThrow('Write-Id is missing');
    expect(deleted({ 'Write-Id': '7' })).toThrow('Write-Id is 7');
  });

  it('that is an error names it if, and only if, it has an address to follow it', () => {
    const location = { Location: `/v4/writes/${named['Write-Id']}` };
    expect(refused({})).not.toThrow();
    expect(refused({ ...location, ...named })).not.toThrow();
    expect(refused(location)).toThrow('Write-Id is missing');
    expect(refused(named)).toThrow(`Write-Id is ${named['Write-Id']}`);
  });
});

it('a header that the document does not describe for a response is refused', () => {
  expect(
    check('GET', '/v4/vendors/1', 404, { Location: '/' }, { code: 'SERVICE_NOT_FOUND', message: 'No' }),
  ).not.toThrow();
  const health = (headers: Record<string, string>) =>
    check('GET', '/v4/system/health', 200, headers, { status: 'ok', version: '0.1.0', apiVersion: '4.0.0' });
  expect(health({})).not.toThrow();
  expect(health({ 'Preference-Applied': 'wait=1' })).toThrow('Preference-Applied is not described');
  expect(health({ 'X-Request-Id': 'a' })).not.toThrow();
  expect(health({ Allow: 'GET' })).toThrow('Allow is not described');
});

describe('the code of an error', () => {
  const error = (method: string, path: string, status: number, code: string) =>
    check(method, path, status, {}, { code, message: 'No' });

  it('must be named for the operation', () => {
    expect(error('GET', '/v4/vendors', 400, 'SERVICE_INVALID_SORT')).not.toThrow();
    expect(error('GET', '/v4/vendors/1', 400, 'SERVICE_INVALID_SORT')).toThrow('SERVICE_INVALID_SORT is not named');
    expect(error('GET', '/v4/vendors', 404, 'SERVICE_NOT_FOUND')).toThrow('SERVICE_NOT_FOUND is not named');
    expect(error('GET', '/v4/system/health', 401, 'SERVICE_UNAUTHORIZED')).toThrow('SERVICE_UNAUTHORIZED is not named');
  });

  it('may be one of those that any request can get', () => {
    expect(error('GET', '/v4/vendors', 431, 'SERVICE_HEADERS_TOO_LARGE')).not.toThrow();
  });
});
