import autocannon from 'autocannon';
import { median } from './budget.ts';

/** A request to repeat. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of a POST; without it, the request is a GET. */
  readonly json?: object;
}

/** Requests to a server that are repeated in order. */
export interface Load extends Target {
  /** Addresses on the server; each client requests a part of them. */
  readonly paths: readonly string[];
  /** Tokens with which each address is requested; by default, the headers have one. */
  readonly tokens?: readonly string[];
  /** Status of every response; 200 by default. */
  readonly status?: 200 | 304;
  /** Begins other work, which goes on during each round; the returned function ends it. */
  readonly meanwhile?: () => Promise<() => Promise<void>>;
}

const CONNECTIONS = 24;

/**
 * Requests per second of each target, by round. In a round the targets alternate, forward and back, so that other load on the
 * machine affects all of them equally: compare values of the same round. Throws if a response has a different status.
 */
export async function throughput<Loads extends readonly Load[]>(
  loads: readonly [...Loads],
  { seconds, rounds: most }: { readonly seconds: number; readonly rounds: number },
): Promise<{ [Each in keyof Loads]: number[] }> {
  const measured = loads.map((load) => ({ load, rounds: [] as number[] }));
  for (const { load } of measured) await fire(load, Math.min(3, seconds));
  for (let round = 0; round < most; round += 1) {
    const inTurn = round % 2 === 0 ? measured : measured.toReversed();
    for (const { load, rounds } of inTurn) rounds.push(await fire(load, seconds));
  }
  return measured.map(({ rounds }) => rounds) as { [Each in keyof Loads]: number[] };
}

async function fire(load: Load, seconds: number): Promise<number> {
  const end = await load.meanwhile?.();
  try {
    return await fireAlone(load, seconds);
  } finally {
    await end?.();
  }
}

async function fireAlone({ name, url, headers, paths, tokens, status = 200 }: Load, seconds: number): Promise<number> {
  const authorizations = tokens?.map((token) => ({ Authorization: `Bearer ${token}` })) ?? [{}];
  const requests = authorizations.length * paths.length;
  let clients = 0;
  const setupClient = (client: autocannon.Client) => {
    const first = clients++ % Math.min(CONNECTIONS, requests);
    const own = Math.ceil((requests - first) / CONNECTIONS);
    // A round is too short for all of them.
    let next = Math.floor(Math.random() * own);
    // Made when it is sent: if all were made at the start, more requests would leave less of the round for the server.
    const setupRequest = (request: autocannon.Request) => {
      const index = first + CONNECTIONS * (next++ % own);
      const path = paths[index % paths.length] ?? '';
      return { ...request, path, headers: { ...headers, ...authorizations[Math.floor(index / paths.length)] } };
    };
    client.setRequests([{ setupRequest }]);
  };
  const result = await autocannon({ url, setupClient, connections: CONNECTIONS, duration: seconds });
  const served = status === 304 ? result['3xx'] : result['2xx'];
  const others = result['2xx'] + result.non2xx - served;
  if (others > 0 || result.errors > 0) {
    throw new Error(`${name}: ${others} responses were not ${status}, ${result.errors} requests failed.`);
  }
  return served / result.duration;
}

/** Milliseconds of single requests, sent one at a time and alternating between the targets. */
export async function latency(targets: readonly Target[], times: number): Promise<Record<string, number>> {
  const taken = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
  for (let turn = 0; turn < times + 20; turn += 1) {
    for (const target of targets) {
      const { name } = target;
      const began = performance.now();
      const response = await send(target);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${name}: returned ${response.status}.`);
      if (turn >= 20) taken.get(name)?.push(performance.now() - began);
    }
  }
  return Object.fromEntries([...taken].map(([name, values]) => [name, median(values)]));
}

/** Sends a request once. */
export function send({ url, headers, json }: Target): Promise<Response> {
  if (json === undefined) return fetch(url, { headers });
  const typed = { ...headers, 'Content-Type': 'application/json' };
  return fetch(url, { method: 'POST', headers: typed, body: JSON.stringify(json) });
}
