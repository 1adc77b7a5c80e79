import type { Readable } from 'node:stream';
import { createHttpClient, type HttpClient } from '../../http/http-client.ts';
import { systemErrorOf } from '../../http/http-failure.ts';
import type { Json } from '../../json.ts';
import { errorCode } from '../../s3/error-code.ts';
import type { S3Settings } from '../../s3/settings.ts';
import { type BucketRequest, signedRequest } from '../../s3/signed-request.ts';
import { SystemError } from '../../system-error.ts';
import { incompleteFile } from '../file-failure.ts';
import type { FileFolder, FolderEntry, SourceFile } from '../file-folder.ts';
import { ListingLimits } from '../listing-limits.ts';
import { openedRemote } from '../remote-file.ts';
import type { RemoteLimits } from '../remote-limits.ts';
import { bucketFailure } from './bucket-failure.ts';
import { type BucketPage, bucketPage, type ListedObject } from './bucket-listing.ts';
import { bucketSettings } from './bucket-settings.ts';

/** Maximum milliseconds without data. */
const IDLE_MS = 30_000;

const FOLDER = 'The folder of the connection';

/** Maximum number of pages of a list. A page of 1,000 entries can consist of folders only. */
const MOST_PAGES = 1_000;

/** Longest page of a listing, in characters. */
const LONGEST_PAGE = 8 * 1024 ** 2;

/** A folder in a bucket of a service with the S3 API. Its objects are listed, and read as a whole. */
export function openBucketFolder(settings: Readonly<Record<string, Json>>, limits: RemoteLimits = {}): FileFolder {
  const { idleMs = IDLE_MS, maxReceivedBytes } = limits;
  const http = createHttpClient({ allowPrivate: settings.allowPrivateHosts === true, sendsTrace: false });
  const client: Pick<HttpClient, 'stream' | 'close'> = {
    stream: (request) => http.stream({ ...request, idleMs }),
    close: () => http.close(),
  };
  const folder: FileFolder = {
    isAtomic: true,
    async check() {
      const bucket = bucketSettings(settings);
      await pageOfObjects(client, bucket, new ListingLimits(limits), { prefix: bucket.prefix, 'max-keys': '1' });
    },
    async list() {
      const bucket = bucketSettings(settings);
      const entries: FolderEntry[] = [];
      for await (const object of objectsIn(client, bucket, new ListingLimits(limits)))
        entries.push(entryOf(folder, bucket, object));
      return entries.filter(({ name }) => name !== '' && !name.includes('/'));
    },
    async find(name) {
      const bucket = bucketSettings(settings);
      const key = `${bucket.prefix}${name}`;
      const query = { prefix: key, delimiter: '/', 'max-keys': '1' };
      const { objects } = await pageOfObjects(client, bucket, new ListingLimits(limits), query);
      const object = objects.find((each) => each.key === key);
      if (!object) throw incompleteFile(name, 'does not exist. Its records stay as they are');
      return fileOf(folder, name, object);
    },
    open: async (file) => openedRemote(file, bytesOf(client, bucketSettings(settings), file), maxReceivedBytes),
    close: () => client.close(),
  };
  return folder;
}

/** The objects of a folder, page by page. */
async function* objectsIn(
  client: Pick<HttpClient, 'stream'>,
  bucket: S3Settings,
  limits: ListingLimits,
): AsyncGenerator<ListedObject> {
  let token = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { prefix: bucket.prefix, delimiter: '/', ...(token !== '' && { 'continuation-token': token }) };
    const { objects, next } = await pageOfObjects(client, bucket, limits, query);
    limits.addEntries(objects.length);
    yield* objects;
    if (next === '') return;
    token = next;
  }
  throw new SystemError('rejected', `The list of the folder has more than ${MOST_PAGES} pages. Move old files away`);
}

function entryOf(folder: FileFolder, { prefix }: S3Settings, object: ListedObject): FolderEntry {
  const name = object.key.slice(prefix.length);
  return { name, file: fileOf(folder, name, object) };
}

function fileOf(folder: FileFolder, name: string, { key, sizeBytes, modifiedMs, etag }: ListedObject): SourceFile {
  return { folder, name, path: key, sizeBytes, modifiedMs, etag };
}

async function pageOfObjects(
  client: Pick<HttpClient, 'stream'>,
  bucket: S3Settings,
  limits: ListingLimits,
  query: Readonly<Record<'prefix', string>> & Record<string, string>,
): Promise<BucketPage> {
  const body = await bodyOf(client, bucket, '', { name: FOLDER, query: { 'list-type': '2', ...query } });
  let text = '';
  for await (const chunk of read(FOLDER, body.setEncoding('utf8'))) {
    text += String(chunk);
    limits.addCharacters(String(chunk).length);
    if (text.length > LONGEST_PAGE) throw new SystemError('invalid', 'The list of the objects is too long');
  }
  return bucketPage(text, query.prefix);
}

/** The content of an object, if it still is the one that was listed. */
async function* bytesOf(
  client: Pick<HttpClient, 'stream'>,
  bucket: S3Settings,
  file: SourceFile,
): AsyncGenerator<Buffer> {
  const headers = file.etag ? { 'If-Match': file.etag } : {};
  yield* read(file.name, await bodyOf(client, bucket, file.path, { name: file.name, headers }));
}

async function bodyOf(
  client: Pick<HttpClient, 'stream'>,
  bucket: S3Settings,
  key: string,
  { name, ...request }: Omit<BucketRequest, 'method'> & { readonly name: string },
): Promise<Readable> {
  const { status, headers, body } = await client
    .stream(await signedRequest(bucket, key, { method: 'GET', ...request }))
    .catch((error) => {
      throw systemErrorOf(error, { changes: false });
    });
  if (status === 200) return body;
  throw bucketFailure(name, { status, headers, code: await errorCode(read(name, body)) });
}

/** The pieces of a body, whose connection can end before it does. */
async function* read(name: string, body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (cause) {
    throw incompleteFile(name, `could not be read to its end (${codeOf(cause)}). It is read again`);
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection ended';
}
