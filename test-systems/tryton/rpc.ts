/** A value in the form of Tryton's JSON-RPC. */
export type Wire = null | boolean | number | string | readonly Wire[] | { readonly [key: string]: Wire };

/** Fields of a record: scalars as JSON, other types as `{ "__class__": … }`, relations as ids. */
export type Fields = Record<string, Wire>;

/** A refusal as Tryton reports it: the name of the exception and its arguments. */
export class TrytonRefusal extends Error {
  override readonly name = 'TrytonRefusal';
  readonly error: unknown;

  constructor(method: string, error: unknown) {
    super(`${method}: ${JSON.stringify(error).slice(0, 1000)}`);
    this.error = error;
  }
}

/** A day, "2026-11-20". */
export function day(text: string): Wire {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number);
  return { __class__: 'date', year, month, day: date };
}

/** An exact number, "12.50". */
export function decimal(text: string): Wire {
  return { __class__: 'Decimal', decimal: text };
}

/**
 * A plain client, for the seeds and for reading what Tryton actually contains. It shares no code with the driver, so tests can
 * use it to check the driver.
 */
export class Rpc {
  context: Fields = {};
  readonly #url: string;
  #authorization = '';
  #calls = 0;
  /** Id of the user: the administrator of a database does not always have the same one. */
  user = 0;

  /** `url` with the name of the database: `http://127.0.0.1:8000/erp/`, or `http://127.0.0.1:8000/erp/rpc/`. */
  constructor(url: string) {
    this.#url = url;
  }

  async login(user: string, password: string): Promise<void> {
    const answer = await this.raw('common.db.login', [user, { password }, 'en']);
    const [id, session] = answer as [number, string];
    this.user = id;
    this.#authorization = `Session ${Buffer.from(`${user}:${id}:${session}`).toString('base64')}`;
    await this.refreshContext();
  }

  /** Adds the user's company, employee and language to the context of later calls. */
  async refreshContext(): Promise<void> {
    this.context = (await this.raw('model.res.user.get_preferences', [true, {}])) as Fields;
  }

  /** Calls a method with exactly these parameters. */
  async raw(method: string, params: readonly Wire[]): Promise<unknown> {
    this.#calls += 1;
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: this.#authorization },
      body: JSON.stringify({ id: this.#calls, method, params }),
    });
    const text = await response.text();
    if (!text.startsWith('{')) throw new TrytonRefusal(method, `HTTP ${response.status} ${text}`);
    const answer = JSON.parse(text) as { result?: unknown; error?: unknown };
    if (answer.error !== undefined) throw new TrytonRefusal(method, answer.error);
    return answer.result;
  }

  /** Calls a method of a model in the user's context. */
  call(model: string, method: string, ...params: Wire[]): Promise<unknown> {
    return this.raw(`model.${model}.${method}`, [...params, this.context]);
  }

  /** Rows with these fields, ordered by id; `domain` has the syntax of Tryton. */
  async search(model: string, domain: readonly Wire[], fields: readonly string[] = ['id']): Promise<Fields[]> {
    return (await this.call(model, 'search_read', domain, 0, null, [['id', 'ASC']], fields)) as Fields[];
  }

  /** The only row of a search. */
  async one(model: string, domain: readonly Wire[], fields: readonly string[] = ['id']): Promise<Fields> {
    const [row] = await this.search(model, domain, fields);
    if (!row) throw new Error(`no ${model} ${JSON.stringify(domain)}`);
    return row;
  }

  async id(model: string, domain: readonly Wire[]): Promise<number> {
    return Number((await this.one(model, domain)).id);
  }

  /** Creates records and returns their ids. */
  async create(model: string, ...values: Fields[]): Promise<number[]> {
    return (await this.call(model, 'create', values)) as number[];
  }

  async createOne(model: string, values: Fields): Promise<number> {
    const [id] = await this.create(model, values);
    return id ?? 0;
  }

  async write(model: string, id: number, values: Fields): Promise<void> {
    await this.call(model, 'write', [id], values);
  }

  /** Presses a button of a record, and again after confirming a warning. */
  async press(model: string, id: number, button: string): Promise<void> {
    try {
      await this.call(model, button, [id]);
    } catch (error) {
      const name = error instanceof TrytonRefusal ? warningOf(error.error) : undefined;
      if (name === undefined) throw error;
      await this.createOne('res.user.warning', { user: this.user, name, always: false });
      await this.press(model, id, button);
    }
  }
}

/** The name that confirms a warning; undefined for other errors. */
function warningOf(error: unknown): string | undefined {
  const [kind, details] = Array.isArray(error) ? error : [];
  return kind === 'UserWarning' && Array.isArray(details) ? String(details[0]) : undefined;
}
