/** Parameters that a request may contain once. */
const KNOWN = [
  ...['client_id', 'redirect_uri', 'response_type', 'state', 'code_challenge', 'code_challenge_method'],
  ...['scope', 'resource', 'platform', 'connection', 'locale'],
];

/** The parameters of a query. Those without a value are treated as absent (RFC 6749, section 3.1). */
export class RequestParameters {
  readonly #values = new Map<string, string[]>();

  constructor(queryText: string) {
    for (const [name, value] of new URLSearchParams(queryText))
      if (value !== '') this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
  }

  /** The value of a parameter; undefined if it is absent or repeated. */
  single(name: string): string | undefined {
    const values = this.#values.get(name) ?? [];
    return values.length === 1 ? values[0] : undefined;
  }

  /** The name of a repeated parameter, if there is one. */
  get repeated(): string | undefined {
    return KNOWN.find((name) => (this.#values.get(name) ?? []).length > 1);
  }
}
