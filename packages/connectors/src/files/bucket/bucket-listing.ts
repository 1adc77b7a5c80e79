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

/** Reads the response to ListObjectsV2. @throws SystemError `invalid` if it is something else */
export function bucketPage(xml: string): BucketPage {
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
    if (name === 'Contents') objects.push(objectOf(given));
    else if (names.at(-1) === 'Contents') given[name] = text;
    else if (name === 'NextContinuationToken') next = text;
    else if (names.length === 0 && name !== 'ListBucketResult') throw notAList();
  });
  parser.write(xml).close();
  return { objects, next };
}

function objectOf({
  Key = '',
  Size = '',
  LastModified = '',
  ETag = '',
}: Readonly<Record<string, string>>): ListedObject {
  const [sizeBytes, modifiedMs] = [Number(Size), Date.parse(LastModified)];
  if (Key === '' || !Number.isSafeInteger(sizeBytes) || Number.isNaN(modifiedMs)) throw notAList();
  return { key: Key, sizeBytes, modifiedMs, etag: ETag };
}

function notAList(): SystemError {
  return new SystemError(
    'invalid',
    'The response is not a list of the objects of a bucket: correct the setting endpoint',
  );
}
