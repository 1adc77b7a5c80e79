import type { Readable } from 'node:stream';
import { createHttpClient, type HttpClient } from '../../http/http-client.ts';
import { systemErrorOf } from '../../http/http-failure.ts';
import type { Json } from '../../json.ts';
import type { S3Settings } from '../../s3/settings.ts';
import { type BucketRequest, signedRequest } from '../../s3/signed-request.ts';
import { SystemError } from '../../system-error.ts';
import { incompleteFile } from '../file-failure.ts';
import type { FileFolder, FolderEntry, SourceFile } from '../file-folder.ts';
import { openedRemote } from '../remote-file.ts';
import { bucketFailure } from './bucket-failure.ts';
import { type BucketPage, bucketPage, type ListedObject } from './bucket-listing.ts';
import { bucketSettings } from './bucket-settings.ts';

/** Maximum milliseconds without data. */
const IDLE_MS = 30_000;

const FOLDER = 'The folder of the connection';

/** Maximum number of objects in a folder. */
const MOST_OBJECTS = 100_000;

/** Longest page of a listing, in characters. */
const LONGEST_PAGE = 8 * 1024 ** 2;

/** A folder in a bucket of a service with the S3 API. Its objects are listed, and read as a whole. `idleMs` is for tests. */
export function openBucketFolder(settings: Readonly<Record<string, Json>>, idleMs = IDLE_MS): FileFolder {
  const http = createHttpClient({ allowPrivate: settings.allowPrivateHosts === true, sendsTrace: false });
  const client: Pick<HttpClient, 'stream' | 'close'> = {
    stream: (request) => http.stream({ ...request, idleMs }),
    close: () => http.close(),
  };
  const folder: FileFolder = {
    isAtomic: true,
    async check() {
      const bucket = bucketSettings(settings);
      await pageOfObjects(client, bucket, { prefix: bucket.prefix, 'max-keys': '1' });
    },
    async list() {
      const bucket = bucketSettings(settings);
      const entries: FolderEntry[] = [];
      let token = '';
      do {
        const query = { prefix: bucket.prefix, delimiter: '/', ...(token !== '' && { 'continuation-token': token }) };
        const { objects, next } = await pageOfObjects(client, bucket, query);
        for (const object of objects) entries.push(entryOf(folder, bucket, object));
        if (entries.length > MOST_OBJECTS) throw new SystemError('rejected', TOO_MANY);
        token = next === token ? '' : next;
      } while (token !== '');
      return entries.filter(({ name }) => name !== '' && !name.includes('/'));
    },
    async find(name) {
      const bucket = bucketSettings(settings);
      const key = `${bucket.prefix}${name}`;
      const { objects } = await pageOfObjects(client, bucket, { prefix: key, delimiter: '/', 'max-keys': '1' });
      const object = objects.find((each) => each.key === key);
      if (!object) throw incompleteFile(name, 'does not exist. Its records stay as they are');
      return fileOf(folder, name, object);
    },
    open: async (file) => openedRemote(file, bytesOf(client, bucketSettings(settings), file)),
    close: () => client.close(),
  };
  return folder;
}

const TOO_MANY = `The folder has more than ${MOST_OBJECTS} objects. Move old ones to another folder`;

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
  query: Record<string, string>,
): Promise<BucketPage> {
  const body = await bodyOf(client, bucket, '', { name: FOLDER, query: { 'list-type': '2', ...query } });
  let text = '';
  for await (const chunk of read(FOLDER, body.setEncoding('utf8'))) {
    text += String(chunk);
    if (text.length > LONGEST_PAGE) throw new SystemError('invalid', 'The list of the objects is too long');
  }
  return bucketPage(text);
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
  let text = '';
  for await (const chunk of read(name, body.setEncoding('utf8'))) if (text.length < 10_000) text += String(chunk);
  const code = /<Code>(\w{1,100})<\/Code>/.exec(text)?.[1] ?? '';
  throw bucketFailure(name, { status, headers, code });
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
