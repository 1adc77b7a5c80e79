import { SaxesParser } from 'saxes';
import { SystemError } from '../../system-error.ts';

/** An object of a bucket, as listed. */
export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  readonly etag: string;
}

export interface BucketPage {
  readonly objects: readonly ListedObject[];
  /** Token of the next page; empty if this is the last one. */
  readonly next: string;
}

/** Longest key that the S3 API allows, in bytes; also the longest ETag that is accepted. */
const LONGEST_KEY = 1_024;

/**
 * Reads the response to ListObjectsV2 for a prefix.
 *
 * @throws SystemError `invalid` if it is something else, or contains a key that such a list cannot contain
 */
export function bucketPage(xml: string, prefix: string): BucketPage {
  const objects: ListedObject[] = [];
  let next = '';
  let given: Record<string, string> = {};
  const names: string[] = [];
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw notAList();
  });
  parser.on('opentag', ({ name }) => {
    names.push(name);
    texts.push('');
    if (name === 'Contents') given = {};
  });
  parser.on('text', (text) => {
    if (texts.length > 0) texts.push(`${texts.pop()}${text}`);
  });
  parser.on('closetag', ({ name }) => {
    const text = texts.pop() ?? '';
    names.pop();
    if (name === 'Contents') objects.push(objectOf(given, prefix));
    else if (names.at(-1) === 'Contents') given[name] = text;
    else if (name === 'NextContinuationToken') next = text;
    else if (names.length === 0 && name !== 'ListBucketResult') throw notAList();
  });
  parser.write(xml).close();
  return { objects, next };
}

function objectOf(
  { Key = '', Size = '', LastModified = '', ETag = '' }: Readonly<Record<string, string>>,
  prefix: string,
): ListedObject {
  const [sizeBytes, modifiedMs] = [Number(Size), Date.parse(LastModified)];
  const isSized = Number.isSafeInteger(sizeBytes) && sizeBytes >= 0;
  if (Key === '' || !isSized || Number.isNaN(modifiedMs) || ETag.length > LONGEST_KEY) throw notAList();
  const problem = keyProblem(Key, prefix);
  if (problem) throw new SystemError('invalid', `The list of the bucket contains a key ${problem}`);
  return { key: Key, sizeBytes, modifiedMs, etag: ETag };
}

function keyProblem(key: string, prefix: string): string | undefined {
  if (Buffer.byteLength(key) > LONGEST_KEY) return `of more than ${LONGEST_KEY} bytes`;
  if (!key.startsWith(prefix)) return 'outside of the folder';
  // In addresses, these segments lead to other objects.
  if (/(?:^|\/)\.\.?(?:\/|$)/.test(key)) return 'with the part . or .., which is not read: rename the object';
  return undefined;
}

function notAList(): SystemError {
  return new SystemError(
    'invalid',
    'The response is not a list of the objects of a bucket. Correct the setting endpoint',
  );
}
