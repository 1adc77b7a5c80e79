/** Header of responses, and of requests that must see everything that a response has reported. */
const HEADER = 'Data-Position';

/** The newest position of the data that responses to one client have had; reads of the client are not older. */
export class DataPosition {
  #newest: string | undefined;

  /** Remembers a position; null and older ones change nothing. */
  note(position: string | null | undefined): void {
    if (position && (this.#newest === undefined || position > this.#newest)) this.#newest = position;
  }

  /** Remembers the position of a response. */
  noteOf({ headers }: Response): void {
    this.note(headers.get(HEADER));
  }

  /** Adds the position to the headers of a request, unless it has one. */
  addTo(headers: Headers): void {
    if (this.#newest !== undefined && !headers.has(HEADER)) headers.set(HEADER, this.#newest);
  }
}
