import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A database session that passes through a proxy. */
export interface ProxiedSession {
  /** Process id of its backend. */
  pid: number;
  /** Closes the connections to the client and to the server. */
  cut(): void;
}

/** What a test does with messages, before they are passed on. */
export interface Watch {
  /** A statement that a client sends. */
  readonly onStatement?: (session: ProxiedSession, sql: string) => Promise<void> | void;
  /** A statement that the server has completed: `COMMIT`, or `SELECT 1`. */
  readonly onCompleted?: (session: ProxiedSession, command: string) => Promise<void> | void;
  /** A notice of the server, with its details. */
  readonly onNotice?: (session: ProxiedSession, notice: string) => Promise<void> | void;
}

/** A proxy in front of a PostgreSQL server, which sees the messages of all sessions. */
export interface DatabaseProxy {
  /** The URL of the server, through the proxy. */
  readonly url: string;
  /** Closes all connections, and refuses others. */
  stop(): Promise<void>;
}

/** Starts a proxy in front of the server of this URL, on a free port. */
export async function startDatabaseProxy(url: string, watch: Watch): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // A cut connection breaks both.
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    const session: ProxiedSession = { pid: 0, cut };
    passOn(client, upstream, new Messages(true), (message) => onSent(session, message, watch)).catch(cut);
    passOn(upstream, client, new Messages(false), (message) => onReceived(session, message, watch)).catch(cut);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  return {
    url: proxied.href,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function passOn(from: Socket, to: Socket, messages: Messages, look: (message: Message) => Promise<void> | void) {
  for await (const chunk of from) {
    for (const message of messages.add(chunk)) await look(message);
    if (to.destroyed) return;
    if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
  }
  to.end();
}

interface Message {
  readonly type: string;
  readonly content: Buffer;
}

/** Divides what one side sends into messages. */
class Messages {
  #rest = Buffer.alloc(0);
  #isStartup: boolean;

  /** The first message of a client has no type. */
  constructor(isClient: boolean) {
    this.#isStartup = isClient;
  }

  *add(chunk: Buffer): Generator<Message> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const start = this.#isStartup ? 0 : 1;
      if (this.#rest.length < start + 4) return;
      const end = start + this.#rest.readInt32BE(start);
      if (this.#rest.length < end) return;
      const type = this.#isStartup ? 'startup' : this.#rest.toString('latin1', 0, 1);
      yield { type, content: this.#rest.subarray(start + 4, end) };
      this.#isStartup = false;
      this.#rest = this.#rest.subarray(end);
    }
  }
}

/** Texts that each end with a zero byte. */
const textsOf = (content: Buffer) => content.toString('utf8').split('\0');

function onSent(session: ProxiedSession, { type, content }: Message, { onStatement }: Watch) {
  // `Q` is a statement without parameters; `P` has a name first.
  if (type === 'Q') return onStatement?.(session, textsOf(content)[0] ?? '');
  if (type === 'P') return onStatement?.(session, textsOf(content)[1] ?? '');
  return undefined;
}

function onReceived(session: ProxiedSession, { type, content }: Message, { onCompleted, onNotice }: Watch) {
  if (type === 'K') session.pid = content.readInt32BE(0);
  if (type === 'C') return onCompleted?.(session, textsOf(content)[0] ?? '');
  if (type !== 'N') return undefined;
  // Each field has a letter before its text; `M` is the message, `D` are the details.
  const fields = textsOf(content).filter((field) => /^[MD]/.test(field));
  return onNotice?.(session, fields.map((field) => field.slice(1)).join('\n'));
}
