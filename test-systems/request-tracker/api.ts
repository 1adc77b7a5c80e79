/** Any JSON object. */
export type Fields = Record<string, unknown>;

/** A refusal from Request Tracker. */
export class TrackerRefusal extends Error {
  override readonly name = 'TrackerRefusal';
  readonly status: number;

  constructor(call: string, status: number, text: string) {
    super(`${call}: ${status} ${text.slice(0, 1000)}`);
    this.status = status;
  }
}

/**
 * A plain client, for the seed and for reading what Request Tracker actually contains. It shares no code with the driver, so
 * tests can use it to check the driver.
 */
export class TrackerApi {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** The body of the response; null if there is none. */
  async call(method: string, path: string, body?: Fields): Promise<unknown> {
    const response = await fetch(`${this.#url}/REST/2.0${path}`, {
      method,
      headers: { authorization: `token ${this.#token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new TrackerRefusal(`${method} ${path}`, response.status, text);
    return text.trim() === '' ? null : JSON.parse(text);
  }

  /** A record: `/ticket/1`. */
  async one(path: string): Promise<Fields> {
    return (await this.call('GET', path)) as Fields;
  }

  /** Creates a record below a path such as `/ticket`. Returns its id, which for a user is the name. */
  async create(path: string, values: Fields): Promise<string> {
    return String(((await this.call('POST', path, values)) as Fields).id);
  }

  async change(path: string, values: Fields): Promise<void> {
    await this.call('PUT', path, values);
  }

  /** Ids of at most 100 tickets that a Request Tracker query finds, in order. */
  async tickets(query: string): Promise<string[]> {
    const list = await this.one(`/tickets?query=${encodeURIComponent(query)}&orderby=id&per_page=100`);
    return (list.items as Fields[]).map(({ id }) => String(id));
  }

  /** The texts of a ticket, in order: the text of its creation, its comments and its correspondence. */
  async texts(ticket: string): Promise<unknown[]> {
    const list = await this.one(`/ticket/${ticket}/attachments?fields=Content,Creator,Filename&per_page=100`);
    const items = list.items as { Content: string; Filename: string; Creator: Fields }[];
    return items.filter((each) => each.Creator.id !== 'RT_System' && !each.Filename).map(({ Content }) => Content);
  }
}
