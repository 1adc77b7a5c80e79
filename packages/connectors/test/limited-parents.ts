import { httpServer } from './http-server.ts';
import { asked, reply } from './rest-system.ts';

/** A system with lists of parts below things, which accepts only a few calls at a time. */
export interface LimitedParents {
  readonly url: URL;
  /** Paths of the calls that were not refused. */
  readonly calls: string[];
  readonly behavior: {
    /** Number of calls between two that are refused. */
    limit: number;
    /** Whether every call is refused. */
    isClosed: boolean;
    /** Keys of the things. */
    things: number[];
  };
}

/** Starts it. Every third thing has no parts, the others have one with their own key. None changes. */
export async function limitedParents({ limit = 7, count = 60 } = {}): Promise<LimitedParents> {
  const calls: string[] = [];
  const things = Array.from({ length: count }, (_, index) => index + 1);
  const behavior = { limit, isClosed: false, things };
  let accepted = 0;
  const url = await httpServer((request, response) => {
    const { pathname, searchParams } = asked(request);
    if (behavior.isClosed || accepted === behavior.limit) {
      accepted = 0;
      response.writeHead(429, { 'retry-after': '0' }).end();
      return;
    }
    accepted += 1;
    calls.push(pathname);
    const id = Number(/^\/things\/(\d+)\/parts$/.exec(pathname)?.[1]);
    const all = behavior.things.map((each) => ({ id: each }));
    const thing = Number(/^\/things\/(\d+)$/.exec(pathname)?.[1]);
    if (thing) reply(response, { id: thing, name: `Thing ${thing}` });
    else if (pathname === '/things') reply(response, { items: searchParams.has('since') ? [] : all });
    else reply(response, { items: id % 3 === 1 ? [] : [{ id, name: `Part ${id}` }] });
  });
  return { url, calls, behavior };
}
