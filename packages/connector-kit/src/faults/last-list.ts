import type { IncomingMessage } from 'node:http';

/** Remembers the response to the previous request, to return it again instead of the next page of a list. */
export class LastList<Response> {
  #last: { readonly url: URL; readonly response: Response } | undefined;

  /**
   * The previous response, if it is the page before this request: a GET of the same address, with the same query except for
   * numbers, such as the number of a page. Every other previous response could belong to a different list.
   */
  pageBefore(request: IncomingMessage): Response | undefined {
    const url = urlOf(request);
    const isNext = this.#last && request.method === 'GET' && isNextPage(this.#last.url, url);
    return isNext ? this.#last?.response : undefined;
  }

  keep(request: IncomingMessage, response: Response): void {
    this.#last = request.method === 'GET' ? { url: urlOf(request), response } : undefined;
  }
}

function urlOf({ url = '/' }: IncomingMessage): URL {
  return new URL(url, 'http://system.example');
}

function isNextPage(before: URL, after: URL): boolean {
  const [earlier, later] = [before, after].map(({ searchParams }) => [...searchParams]);
  return (
    before.pathname === after.pathname &&
    before.search !== after.search &&
    earlier?.length === later?.length &&
    (later ?? []).every(([name, value]) => {
      const was = before.searchParams.get(name);
      return was === value || (was !== null && /^\d+$/.test(`${was}${value}`));
    })
  );
}
