import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { FaultPlan } from './fault-plan.ts';
import { type FaultProxy, LATENCY_MS } from './fault-proxy.ts';

/** Default ports of addresses. */
const PORTS: Readonly<Record<string, number>> = { 'mysql:': 3306, 'mariadb:': 3306 };
const POSTGRES = 5432;

/**
 * Starts a proxy for a database. The plan decides about each chunk that the client sends, which in most cases is a statement:
 * the statement is lost with the connection (`reset-before`), its result is lost (`reset-after`), or only half of the result
 * arrives (`truncated`).
 */
export async function startTcpFaultProxy(target: string, plan: FaultPlan): Promise<FaultProxy> {
  const system = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(system.port) || (PORTS[system.protocol] ?? POSTGRES), system.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => open.delete(socket));
    }
    relay(near, far, plan);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port) }).href,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function relay(near: Socket, far: Socket, plan: FaultPlan): void {
  let onResult: 'reset-after' | 'truncated' | null = null;
  const end = () => {
    near.destroy();
    far.destroy();
  };
  near.on('data', (bytes) => {
    const fault = plan.next();
    if (fault !== null) plan.note(fault);
    if (fault === 'reset-before') return end();
    if (fault === 'reset-after' || fault === 'truncated') onResult = fault;
    if (fault !== 'latency') return void far.write(bytes);
    near.pause();
    setTimeout(() => {
      far.write(bytes);
      near.resume();
    }, LATENCY_MS);
  });
  far.on('data', (bytes) => {
    if (onResult === 'reset-after') return end();
    if (onResult === 'truncated') return void near.write(bytes.subarray(0, bytes.length / 2), end);
    near.write(bytes);
  });
  near.on('close', () => far.destroy());
  far.on('close', () => near.destroy());
}
