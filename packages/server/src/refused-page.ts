import type { HttpResponse } from './http-response.ts';

/** A request of a browser that is refused with a page. It is thrown, because handlers return only successes. */
export class RefusedPage extends Error {
  override readonly name = 'RefusedPage';
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super(`The request is refused with a page of status ${response.status}.`);
    this.response = response;
  }
}
