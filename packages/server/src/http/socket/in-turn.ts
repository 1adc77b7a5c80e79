import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

interface PipelineLimits {
  /** Maximum number of requests of one socket that may wait for the responses to earlier ones. */
  readonly perSocket: number;
  /** The same for all sockets together. */
  readonly inAll: number;
}

/** One read of a socket returns at most 64 kB, which is about 600 requests; no HTTP client pipelines that many. */
const LIMITS: PipelineLimits = { perSocket: 100, inAll: 10_000 };

/**
 * Handles the pipelined requests of a socket in sequence; Node emits all requests of one read together. The next one begins
 * when the kernel has accepted the previous response, so at most one response per socket is in memory, even if the client does
 * not read. A socket with more waiting requests than allowed is destroyed.
 */
export function inTurn(handle: Handle, { perSocket, inAll }: PipelineLimits = LIMITS): Handle {
  const waitingOn = new WeakMap<Socket, number>();
  let waiting = 0;
  const leave = (socket: Socket, requests: number) => {
    waitingOn.set(socket, (waitingOn.get(socket) ?? 0) - requests);
    waiting -= requests;
  };
  return (request, response) => {
    // Node assigns the socket to one response at a time, in the order of their requests.
    if (response.socket !== null) return handle(request, response);
    const { socket } = request;
    const ahead = waitingOn.get(socket);
    if ((ahead ?? 0) >= perSocket || waiting >= inAll) return void socket.destroy();
    // In some releases, Node never closes a response that had no socket, so the count is reset when the socket closes.
    if (ahead === undefined) socket.once('close', () => leave(socket, waitingOn.get(socket) ?? 0));
    waitingOn.set(socket, (ahead ?? 0) + 1);
    waiting += 1;
    response.once('socket', () => {
      leave(socket, 1);
      handle(request, response);
    });
  };
}
