import type { Platform } from '@unified/connectors';
import type { Settings } from '../system-under-test.ts';
import { wrongSecrets } from '../wrong-secrets.ts';
import type { Access } from './exchange.ts';
import { Replacements } from './replacements.ts';

/** Shorter values cannot be secrets that a system has issued. */
const SHORTEST_ISSUED = 6;

/** Replaces secrets: each by a placeholder, so that a token in a response stays the token of the calls after it. */
export class RemovedSecrets {
  #count = 0;
  readonly #replacements = new Replacements();
  /** The secret settings, by name. */
  readonly #settings = new Map<string, string>();

  /** Starts with the secret settings. A wrong secret, as the checks send it, becomes the wrong placeholder. */
  constructor(platform: Pick<Platform, 'secrets'>, settings: Settings) {
    for (const name of platform.secrets) {
      const secret = settings[name];
      if (typeof secret !== 'string' || secret === '') continue;
      this.#settings.set(name, secret);
      const to = this.#add(secret);
      const [wrong, wrongTo] = [secret, to].map(
        (value) => wrongSecrets({ secrets: [name] }, { [name]: value })[0]?.settings[name],
      );
      if (typeof wrong === 'string' && typeof wrongTo === 'string')
        this.#replacements.add({ from: wrong, to: wrongTo });
    }
  }

  /** Number of different secrets. */
  get count(): number {
    return this.#count;
  }

  /** Learns a secret that the system has issued or that a request contains. */
  learn(secret: string): void {
    if (secret.length >= SHORTEST_ISSUED && !this.#replacements.has(secret)) this.#add(secret);
  }

  /** Also replaces a text that is not a secret, such as an address. */
  replace(from: string, to: string): void {
    this.#replacements.add({ from, to });
  }

  in(text: string): string {
    return this.#replacements.in(text);
  }

  /** Names of the secret settings that one of the texts still contains, such as in the name of a property. */
  leftIn(texts: readonly string[]): string[] {
    const isLeft = (secret: string) => texts.some((text) => Replacements.isIn(text, secret));
    return [...this.#settings].filter(([, secret]) => isLeft(secret)).map(([name]) => name);
  }

  #add(secret: string): string {
    this.#count += 1;
    const to = `removed-${this.#count}-secret`;
    this.#replacements.add({ from: secret, to });
    return to;
  }
}

/** Which placeholders a text contains. */
export function accessOf(text: string): Access {
  if (/semoved-\d+-secreu/.test(text)) return 'refused';
  return /removed-\d+-secret/.test(text) ? 'granted' : 'none';
}
