/** A page as a browser without scripts receives it. */
export interface ShownPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Address of a redirect. */
  readonly location: string;
}

/** A browser without scripts: keeps cookies, follows redirects within the server, and sends forms. */
export class PageBrowser {
  readonly #baseUrl: string;
  /** By name. */
  readonly cookies = new Map<string, string>();
  readonly headers: Record<string, string> = {};

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Requests a path, and follows redirects to other paths. */
  async open(path: string): Promise<ShownPage> {
    return this.#follow(await this.send(path));
  }

  /** Sends a form to a path, and follows redirects to other paths. */
  async submit(path: string, fields: Readonly<Record<string, string>>): Promise<ShownPage> {
    const body = new URLSearchParams(fields).toString();
    return this.#follow(await this.send(path, { method: 'POST', body, type: 'application/x-www-form-urlencoded' }));
  }

  /** Sends the form of a session with the settings of a system. */
  async enter(
    session: string,
    form: Readonly<Record<string, string>>,
    settings: Readonly<Record<string, string>>,
  ): Promise<ShownPage> {
    const given = Object.entries(settings).map(([name, value]) => [`settings.${name}`, value]);
    return this.submit(`${session}/settings`, { ...form, ...Object.fromEntries(given) });
  }

  /** Sends one request without following a redirect. */
  async send(
    path: string,
    { method = 'GET', body, type }: { method?: string; body?: string; type?: string } = {},
  ): Promise<ShownPage> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.#baseUrl), {
      ...{ method, redirect: 'manual', ...(body !== undefined && { body }) },
      headers: { ...this.headers, ...(cookie && { cookie }), ...(type !== undefined && { 'content-type': type }) },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.cookies.set(name, value);
    }
    const { status, headers } = response;
    return { status, headers, text: await response.text(), location: headers.get('location') ?? '' };
  }

  async #follow(page: ShownPage): Promise<ShownPage> {
    return page.location.startsWith('/') ? this.open(page.location) : page;
  }
}

/** The value that proves that a form belongs to its page. */
export function tokenIn({ text }: ShownPage): string {
  return /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** The path of the session that a page belongs to. */
export function sessionOf({ text }: ShownPage): string {
  return /action="([^"]*\/oauth\/authorize\/[\da-f-]{36})\/cancel"/.exec(text)?.[1] ?? '';
}
