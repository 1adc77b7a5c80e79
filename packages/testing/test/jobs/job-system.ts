import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A job of the system. */
export interface Job {
  readonly id: number;
  readonly number: string;
  readonly name: string;
  readonly notes: string | null;
  /** The marker of a create through the API. */
  readonly ref: string | null;
  readonly version: number;
  /** RFC 3339. */
  readonly changedAt: string;
}

export type JobValues = Partial<Pick<Job, 'name' | 'notes' | 'ref'>>;

/** A small system with a REST API, which stores jobs in memory. */
export interface JobSystem {
  /** `http://127.0.0.1:43211`. */
  readonly url: string;
  readonly jobs: ReadonlyMap<number, Job>;
  /** Every job that was ever created, and every later version of one. */
  readonly history: readonly Job[];
  create(values: JobValues): Job;
  change(id: number, values: JobValues): void;
  remove(id: number): void;
  stop(): Promise<void>;
}

export const TOKEN = 'job-token';

/** Starts a system without jobs. */
export async function startJobSystem(): Promise<JobSystem> {
  const jobs = new Map<number, Job>();
  const history: Job[] = [];
  let lastId = 0;
  const keep = (job: Job) => {
    history.push(job);
    jobs.set(job.id, job);
    return job;
  };
  const now = () => new Date().toISOString();
  const system = {
    jobs,
    history,
    create({ name = '', notes = null, ref = null }: JobValues): Job {
      const id = ++lastId;
      return keep({ id, number: `J-${id}`, name, notes, ref, version: 1, changedAt: now() });
    },
    change(id: number, values: JobValues): void {
      const job = jobs.get(id);
      if (job) keep({ ...job, ...values, version: job.version + 1, changedAt: now() });
    },
    remove: (id: number) => void jobs.delete(id),
  };
  const server = createServer((request, response) => {
    answer(system, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...system,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Jobs = Pick<JobSystem, 'jobs' | 'create' | 'change' | 'remove'>;

async function answer(system: Jobs, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://jobs.example');
  const send = (status: number, json?: unknown, headers: Record<string, string> = {}) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json ?? {}));
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return send(401, { message: 'Unknown token' });
  if (pathname === '/me') return send(200, { name: 'Tests' });
  if (pathname === '/jobs') {
    return request.method === 'POST'
      ? send(201, system.create(JSON.parse(body)))
      : send(200, pageOf(system, searchParams));
  }
  const job = system.jobs.get(Number(pathname.split('/')[2]));
  if (!job) return send(404, { message: 'There is no such job' });
  const etag = `"${job.version}"`;
  if (request.method === 'GET') return send(200, job, { etag });
  if ((request.headers['if-match'] ?? etag) !== etag) return send(412, { message: 'The job was changed' });
  if (request.method === 'PUT') system.change(job.id, JSON.parse(body));
  else system.remove(job.id);
  return send(204);
}

function pageOf({ jobs }: Pick<JobSystem, 'jobs'>, query: URLSearchParams) {
  const [since, ref] = [query.get('changedSince'), query.get('ref')];
  const matching = [...jobs.values()].filter(
    (job) => (since === null || Date.parse(job.changedAt) >= Date.parse(since)) && (ref === null || job.ref === ref),
  );
  const begin = Number(query.get('offset'));
  return { total: matching.length, jobs: matching.slice(begin, begin + Number(query.get('limit'))) };
}
