import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import ssh2, { type Attributes, type Connection, type FileEntry, type SFTPWrapper } from 'ssh2';

const { STATUS_CODE } = ssh2.utils.sftp;
const [FOLDER, FILE] = [0o040755, 0o100644];

/** What the server does instead of answering a request. */
export type ReadFault = (sftp: SFTPWrapper, request: number, connection: Connection) => void;

/** An SFTP server with one file that can misbehave. */
export interface FaultySftp {
  readonly settings: Readonly<Record<string, string | boolean>>;
  /** Handles the next requests to read, one each. */
  readonly faults: (ReadFault | 'answer')[];
  /** Handles all requests for the next entries of the folder, if it is set. */
  listFault?: ReadFault;
  /** Is called instead of opening the next sessions, one each. */
  readonly sessionFaults: (() => void)[];
  /** Replace attributes of the file; null leaves one out. */
  attributes: Readonly<Record<string, number | null>>;
  /** Number of connections so far. */
  readonly connections: () => number;
  /** Number of connections that are open. */
  readonly open: () => number;
  stop(): Promise<void>;
}

export const denying: ReadFault = (sftp, request) => sftp.status(request, STATUS_CODE.PERMISSION_DENIED);
export const ending: ReadFault = (_sftp, _request, connection) => connection.end();
export const silent: ReadFault = () => {};

/** Sends a list of files with this name, of which there is no end. */
export const endless = (name: string, count: number): ReadFault => {
  const entries = Array.from({ length: count }, () => namedEntry(name));
  return (sftp, request) => sftp.name(request, entries);
};

/** A host key by Node: one of 200 keys that ssh2 generates cannot be parsed by ssh2 itself. */
function newPrivateKey(): string {
  return generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}

/** Starts a server whose file `/exports/items.csv` has this content. */
export async function startFaultySftp(content: Buffer): Promise<FaultySftp> {
  const privateKey = newPrivateKey();
  const behavior: Behavior = { faults: [], sessionFaults: [], attributes: {} };
  const open = new Set<Connection>();
  let connections = 0;
  const ssh = new ssh2.Server({ hostKeys: [privateKey] }, (connection) => {
    connections += 1;
    open.add(connection);
    connection.on('error', () => {});
    connection.on('close', () => open.delete(connection));
    connection.on('authentication', (context) => {
      const isAccepted = context.method === 'password' && context.password === 'top secret';
      return isAccepted ? context.accept() : context.reject(['password']);
    });
    connection.on('session', (accept) =>
      accept().on('sftp', (begin) => {
        const fault = behavior.sessionFaults.shift();
        return fault ? fault() : serve(begin(), { content, behavior, connection });
      }),
    );
  });
  const server = createServer({ noDelay: true }, (socket) => ssh.injectSocket(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  const publicKey = parsed.getPublicSSH();
  const hostKey = `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`;
  const folder = `sftp://127.0.0.1:${port}/exports`;
  return Object.assign(behavior, {
    settings: { folder, user: 'export', password: 'top secret', hostKey, allowPrivateHosts: true },
    connections: () => connections,
    open: () => open.size,
    async stop() {
      for (const connection of open) connection.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

type Behavior = Pick<FaultySftp, 'faults' | 'listFault' | 'sessionFaults' | 'attributes'>;

function namedEntry(filename: string): FileEntry {
  return { filename, longname: filename, attrs: {} as Attributes };
}

interface Served {
  readonly content: Buffer;
  readonly behavior: Behavior;
  readonly connection: Connection;
}

function serve(sftp: SFTPWrapper, { content, behavior, connection }: Served): void {
  const attrs = (mode: number, size: number, replaced: FaultySftp['attributes'] = {}) => {
    const all = { mode, size, uid: 0, gid: 0, atime: 1_700_000_000, mtime: 1_700_000_000, ...replaced };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as unknown as Attributes;
  };
  sftp.on('STAT', (request, path) => {
    if (path === '/exports') sftp.attrs(request, attrs(FOLDER, 0));
    else if (path === '/exports/items.csv') sftp.attrs(request, attrs(FILE, content.length, behavior.attributes));
    else sftp.status(request, STATUS_CODE.NO_SUCH_FILE);
  });
  let isListed = false;
  sftp.on('OPENDIR', (request) => {
    isListed = false;
    sftp.handle(request, Buffer.from('folder'));
  });
  sftp.on('READDIR', (request) => {
    if (behavior.listFault) return behavior.listFault(sftp, request, connection);
    if (isListed) return sftp.status(request, STATUS_CODE.EOF);
    isListed = true;
    return sftp.name(request, [namedEntry('items.csv')]);
  });
  sftp.on('OPEN', (request) => sftp.handle(request, Buffer.from('file')));
  sftp.on('CLOSE', (request) => sftp.status(request, STATUS_CODE.OK));
  sftp.on('READ', (request, _handle, offset, length) => {
    const fault = behavior.faults.shift() ?? 'answer';
    if (fault !== 'answer') return fault(sftp, request, connection);
    const piece = content.subarray(offset, offset + Math.min(length, 32_768));
    return piece.length === 0 ? sftp.status(request, STATUS_CODE.EOF) : sftp.data(request, piece);
  });
}
