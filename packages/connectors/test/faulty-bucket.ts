import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service with one bucket, `files`, that speaks S3 as its documentation says, one object per page, and can misbehave. */
export interface FaultyBucket {
  readonly settings: Readonly<Record<string, string | boolean>>;
  readonly objects: Map<string, string | Buffer>;
  /** Requests so far: keys of objects, and an empty text for each list. */
  readonly requests: string[];
  /** Handles the next requests for objects, one each, instead of the service. */
  readonly faults: ((response: ServerResponse, content: string) => void)[];
  /** Handles the next lists instead of the service. */
  readonly listFaults: ((response: ServerResponse) => void)[];
  stop(): Promise<void>;
}

/** Responds with an error of S3. */
export function refusing(status: number, code: string, headers: Readonly<Record<string, string>> = {}) {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Not for you, AKIA</Message></Error>`;
  return (response: ServerResponse) => void response.writeHead(status, headers).end(body);
}

/** Responds with a list of one object, and with the token of a next page unless it is empty. */
export function listing(key: string, next = '') {
  const contents = key === '' ? '' : contentsOf(key, 'id\n1\n');
  return (response: ServerResponse) => void response.end(resultOf(contents, next));
}

/** Responds with an error of S3 whose body does not end. */
export function refusingWithoutEnd(response: ServerResponse): void {
  response.on('error', () => {});
  response.writeHead(403).write('<?xml version="1.0"?><Error><Code>AccessDenied</Code>');
  const more = () => {
    while (response.writable && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

export async function startFaultyBucket(): Promise<FaultyBucket> {
  const objects: FaultyBucket['objects'] = new Map();
  const requests: string[] = [];
  const faults: FaultyBucket['faults'] = [];
  const listFaults: FaultyBucket['listFaults'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://bucket');
    const key = decodeURIComponent(url.pathname).replace(/^\/files\/?/, '');
    requests.push(key);
    if (key !== '') return send(request, response, objects.get(key) ?? '', faults.shift());
    const fault = listFaults.shift();
    return fault ? fault(response) : void response.end(pageOf(objects, url.searchParams));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const keys = { accessKeyId: 'AKIA', secretAccessKey: 'top secret' };
  return {
    settings: { folder: 's3://files/', endpoint: `http://127.0.0.1:${port}`, ...keys, allowPrivateHosts: true },
    ...{ objects, requests, faults, listFaults },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(
  { headers }: IncomingMessage,
  response: ServerResponse,
  content: string | Buffer,
  fault: FaultyBucket['faults'][number] | undefined,
): void {
  if (fault) fault(response, String(content));
  else if (headers['if-match'] !== etagOf(content)) refusing(412, 'PreconditionFailed')(response);
  else response.end(content);
}

function pageOf(objects: ReadonlyMap<string, string | Buffer>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const [first, second] = [...objects].sort().filter(([key]) => key.startsWith(prefix) && key > after);
  return resultOf(first ? contentsOf(...first) : '', second ? (first?.[0] ?? '') : '');
}

function contentsOf(key: string, content: string | Buffer): string {
  return `<Contents><Key>${escaped(key)}</Key><LastModified>2026-11-20T09:30:00.000Z</LastModified><ETag>${escaped(etagOf(content))}</ETag><Size>${Buffer.byteLength(content)}</Size><Owner><ID>1</ID></Owner></Contents>`;
}

function resultOf(contents: string, token: string): string {
  const next = token === '' ? '' : `<NextContinuationToken>${escaped(token)}</NextContinuationToken>`;
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${next !== ''}</IsTruncated>${next}${contents}</ListBucketResult>`;
}

const etagOf = (content: string | Buffer) => `"${Buffer.from(content).toString('base64url').slice(-20)}"`;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
