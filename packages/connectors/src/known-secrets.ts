import type { Json } from './json.ts';
import type { Platform } from './platform.ts';
import { TextSearch } from './text-search.ts';

/** Minimum length of a secret to search for in messages: shorter ones also occur within other words. */
const SHORTEST = 6;

/**
 * Maximum number of characters of issued secrets, in all spellings, that are hidden. The latest secret is hidden even if it is
 * longer. Preparing a search takes time in proportion to them.
 */
const MOST_ISSUED = 64 * 1024;

const HIDDEN = '[hidden]';

/** Replaces secrets in a text. */
export type Hide = (text: string) => string;

/**
 * Is called with each secret that a system issues, before it is sent. A driver that sends one after others were issued calls it
 * again.
 */
export type SecretIssued = (secret: string) => void;

/**
 * Replaces the secrets among the settings of a connection, including passwords in addresses, both unchanged and as they are
 * sent: in addresses, forms, JSON and the Basic authentication header.
 */
export function hideSecretsOf(platform: Pick<Platform, 'secrets'>, settings: Readonly<Record<string, Json>>): Hide {
  return new KnownSecrets(platform, settings).hide;
}

/** The secrets of a connection: those of its settings, and those that the system issues, such as tokens. */
export class KnownSecrets {
  /** The secrets of the settings, in all spellings. */
  readonly #entered: readonly string[];
  /** The spellings of each issued secret, the latest last. */
  readonly #issued = new Map<string, readonly string[]>();
  #issuedSize = 0;
  /** Prepared when the first text is searched, because that takes longer than most searches. */
  #search: TextSearch | undefined;

  constructor({ secrets }: Pick<Platform, 'secrets'>, settings: Readonly<Record<string, Json>>) {
    const values = secrets.map((name) => settings[name]).filter((value) => typeof value === 'string');
    const users = Object.values(settings).filter((value) => typeof value === 'string');
    const credentials = values.flatMap((value) => [...users, ''].map((user) => `${user}:${value}`));
    this.#entered = [
      ...values.flatMap((value) => [value, ...passwordIn(value)]).flatMap(spellings),
      ...[...credentials, ...values.map((value) => `${value}:`), ...values.flatMap(credentialsIn)].map(base64),
    ];
  }

  /** Adds a secret that the system has issued, or notes that a known one is still in use. */
  readonly add: SecretIssued = (secret) => {
    if (secret.length < SHORTEST) return;
    const known = this.#issued.get(secret);
    const texts = known ?? spellings(secret);
    this.#issued.delete(secret);
    this.#issued.set(secret, texts);
    if (known) return;
    this.#search = undefined;
    this.#issuedSize += sizeOf(texts);
    for (const [oldest, older] of this.#issued) {
      if (this.#issuedSize <= MOST_ISSUED || oldest === secret) break;
      this.#issued.delete(oldest);
      this.#issuedSize -= sizeOf(older);
    }
  };

  readonly hide: Hide = (text) => {
    if (text.length < SHORTEST) return text;
    this.#search ??= this.#prepared();
    const parts = this.#search.partsOf(text);
    if (parts.length === 0) return text;
    const starts = [0, ...parts.map(({ end }) => end)];
    return starts.map((start, index) => text.slice(start, parts[index]?.start)).join(HIDDEN);
  };

  #prepared(): TextSearch {
    const texts = [...this.#entered, ...[...this.#issued.values()].flat()].filter(({ length }) => length >= SHORTEST);
    return new TextSearch([...new Set(texts)], SHORTEST);
  }
}

/** The password in an address, both percent-encoded and decoded. */
function passwordIn(value: string): string[] {
  const { password = '' } = URL.parse(value) ?? {};
  return [password, decoded(password)];
}

/** User and password of an address, as Basic authentication sends them. */
function credentialsIn(value: string): string[] {
  const { username, password } = URL.parse(value) ?? {};
  return password ? [`${decoded(username ?? '')}:${decoded(password)}`] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text unchanged, and as encoded in addresses, forms and JSON, if that differs. */
function spellings(text: string): string[] {
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  return [...new Set([text, encodeURIComponent(text.toWellFormed()), form, JSON.stringify(text).slice(1, -1)])];
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
