/** Any JSON object. */
export type Fields = Record<string, unknown>;

/** Credentials of a user and of a tenant. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** A refusal from Kill Bill. */
export class KillBillRefusal extends Error {
  override readonly name = 'KillBillRefusal';
  readonly status: number;

  constructor(call: string, status: number, text: string) {
    super(`${call}: ${status} ${text.slice(0, 1000)}`);
    this.status = status;
  }
}

/**
 * A plain client, for the seed and for reading what Kill Bill actually contains. It shares no code with the driver, so tests can
 * use it to check the driver. Paths are below `/1.0/kb`.
 */
export class KillBillApi {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, { user, password, apiKey, apiSecret }: Credentials) {
    this.#url = `${url}/1.0/kb`;
    this.#headers = {
      authorization: `Basic ${btoa(`${user}:${password}`)}`,
      'x-killbill-apikey': apiKey,
      'x-killbill-apisecret': apiSecret,
      'x-killbill-createdby': 'seed',
      'content-type': 'application/json',
    };
  }

  async send(method: string, path: string, body?: unknown): Promise<Response> {
    const init = { method, headers: this.#headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${this.#url}${path}`, init);
    if (response.ok) return response;
    throw new KillBillRefusal(`${method} ${path}`, response.status, await response.text());
  }

  /** The object at a path. */
  async one(path: string): Promise<Fields> {
    return (await (await this.send('GET', path)).json()) as Fields;
  }

  async list(path: string): Promise<Fields[]> {
    return (await (await this.send('GET', path)).json()) as Fields[];
  }

  /** Creates an object and returns its id, which is the last part of its address. */
  async create(path: string, values: unknown): Promise<string> {
    const { headers } = await this.send('POST', path, values);
    return headers.get('location')?.replace(/\/$/, '').split('/').at(-1) ?? '';
  }

  /** Creates a draft of an invoice, or a committed one, with charges, and returns its id. */
  async charge(account: string, charges: readonly Fields[], isCommitted: boolean): Promise<string> {
    const response = await this.send('POST', `/invoices/charges/${account}?autoCommit=${isCommitted}`, charges);
    return String(((await response.json()) as Fields[])[0]?.invoiceId);
  }
}
