/** Any JSON object. */
export type Fields = Record<string, unknown>;

/** A refusal from Redmine. */
export class RedmineRefusal extends Error {
  override readonly name = 'RedmineRefusal';
  readonly status: number;

  constructor(call: string, status: number, text: string) {
    super(`${call}: ${status} ${text.slice(0, 1000)}`);
    this.status = status;
  }
}

/**
 * A plain client, for the seed and for reading what Redmine actually contains. It shares no code with the driver, so tests can
 * use it to check the driver.
 */
export class RedmineApi {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** The body of the response; an empty object if there is none. */
  async call(method: string, path: string, body?: Fields | string): Promise<Fields> {
    const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json';
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { 'x-redmine-api-key': this.#key, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new RedmineRefusal(`${method} ${path}`, response.status, text);
    return text.trim() === '' ? {} : (JSON.parse(text) as Fields);
  }

  /** The object in a response, by its name: `issue`. */
  async one(name: string, path: string): Promise<Fields> {
    return (await this.call('GET', path))[name] as Fields;
  }

  async create(name: string, path: string, values: Fields): Promise<Fields> {
    return (await this.call('POST', path, { [name]: values }))[name] as Fields;
  }

  async change(name: string, path: string, values: Fields): Promise<void> {
    await this.call('PUT', path, { [name]: values });
  }

  /** Ids of all issues, open and closed. */
  async issueIds(): Promise<number[]> {
    const { issues } = await this.call('GET', '/issues.json?status_id=*&limit=100&sort=id');
    return (issues as { id: number }[]).map(({ id }) => id);
  }
}
