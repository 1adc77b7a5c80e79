import type { IncomingHttpHeaders } from 'node:http';
import { retryAfterSeconds } from '../../http/http-failure.ts';
import { SystemError } from '../../system-error.ts';
import { explainedFailure, incompleteFile } from '../file-failure.ts';
import { isRegion } from './bucket-settings.ts';

const REFUSED = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken', 'XAdminUserNotFound'];
const OTHER_REGION = ['AuthorizationHeaderMalformed', 'PermanentRedirect', 'IllegalLocationConstraintException'];

/** A response that is not the one expected. */
export interface RefusedRequest {
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** Code of the service, such as `AccessDenied`; empty if it returned none. */
  readonly code: string;
}

/**
 * What a refused request means. `name` is the file, or "The folder of the connection". Messages of the service are not used,
 * because they may repeat the request, including credentials.
 */
export function bucketFailure(name: string, { status, headers, code }: RefusedRequest): SystemError {
  const shown = `HTTP ${status}${code && `, ${code}`}`;
  if (REFUSED.includes(code)) {
    return explainedFailure(
      'unauthorized',
      `The bucket refuses the access key (${shown})`,
      'Check accessKeyId and secretAccessKey.',
    );
  }
  if (code === 'RequestTimeTooSkewed') {
    return explainedFailure(
      'unavailable',
      `The clocks of the bucket and of this machine differ (${shown})`,
      'Set the clock.',
    );
  }
  if (OTHER_REGION.includes(code) || status === 301 || status === 307) {
    const region = headers['x-amz-bucket-region'];
    const remedy = `Set region${typeof region === 'string' && isRegion(region) ? ` to ${region}` : ''}, and check endpoint.`;
    return explainedFailure('rejected', `The bucket is in another region, or at another address (${shown})`, remedy);
  }
  if (code === 'NoSuchBucket')
    return explainedFailure('unavailable', `There is no such bucket (${shown})`, 'Correct folder.');
  if (status === 401 || status === 403) {
    const remedy = 'Grant the access key s3:ListBucket for the bucket, and s3:GetObject for its objects.';
    return explainedFailure('forbidden', `${name} may not be read with this access key (${shown})`, remedy);
  }
  if (status === 404 && ['', 'NoSuchKey'].includes(code))
    return incompleteFile(name, 'does not exist. Its records stay as they are');
  if (status === 412) return incompleteFile(name, 'was replaced while it was opened. It is read again');
  const retryAfter = retryAfterSeconds(headers['retry-after']);
  const wait = retryAfter === undefined ? {} : { retryAfter };
  if (status === 429 || code === 'SlowDown') {
    return new SystemError('throttled', `The bucket accepts no more requests for now (${shown})`, wait);
  }
  if (status >= 500) return new SystemError('unavailable', `The bucket cannot return ${name} now (${shown})`, wait);
  return explainedFailure(
    'rejected',
    `The bucket refuses the request (${shown})`,
    'Check endpoint, region and folder.',
  );
}
