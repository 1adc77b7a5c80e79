import type { Driver } from './driver.ts';
import type { Json } from './json.ts';
import type { TokenStore } from './oauth/token-store.ts';
import type { Passthrough } from './passthrough/passthrough.ts';
import type { Platform } from './platform.ts';
import type { DriverEvents } from './protocol.ts';

/** Minimum length of a secret to search for in messages: shorter ones also occur within other words. */
const SHORTEST = 6;

const HIDDEN = '[hidden]';

/** Replaces secrets in a text. */
export type Hide = (text: string) => string;

/**
 * Replaces the secrets among the settings of a connection, including passwords in addresses, both unchanged and as they are
 * sent: in addresses, forms, JSON and the Basic authentication header.
 */
export function hideSecretsOf({ secrets }: Pick<Platform, 'secrets'>, settings: Readonly<Record<string, Json>>): Hide {
  const values = secrets.map((name) => settings[name]).filter((value) => typeof value === 'string');
  const users = Object.values(settings).filter((value) => typeof value === 'string');
  const credentials = values.flatMap((value) => [...users, ''].map((user) => `${user}:${value}`));
  const forms = [
    ...values.flatMap((value) => [value, ...passwordIn(value)]).flatMap(spellings),
    ...[...credentials, ...values.map((value) => `${value}:`), ...values.flatMap(credentialsIn)].map(base64),
  ];
  // Longest first, because an address contains its password.
  const hidden = [...new Set(forms)].filter((text) => text.length >= SHORTEST).sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}

/** Maximum number of replaced tokens of a session that are hidden: those of the last hours. */
const MOST_TOKENS = 16;

/** A store whose tokens `hide` replaces as well, once they are known. */
export function hidingTokens(store: TokenStore): { readonly tokens: TokenStore; readonly hide: Hide } {
  let known: readonly string[] = [];
  const note = (text: string) => {
    const values = Object.values(JSON.parse(text) as Record<string, unknown>);
    const secrets = values.filter((value) => typeof value === 'string' && value.length >= SHORTEST);
    known = [...new Set([...(secrets as string[]), ...known])].slice(0, MOST_TOKENS);
    return text;
  };
  return {
    tokens: {
      renew: (grant, renew) => store.renew(grant, async (kept) => note(await renew(kept === null ? null : note(kept)))),
    },
    hide: (text) => known.flatMap(spellings).reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text),
  };
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

/** A text unchanged, and as encoded in addresses, forms and JSON. */
function spellings(text: string): string[] {
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  return [text, encodeURIComponent(text.toWellFormed()), form, JSON.stringify(text).slice(1, -1)];
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/**
 * A driver whose failures contain no secrets from the settings: a system may repeat what it was sent, and its messages are
 * stored and shown to clients.
 */
export function hidingSecrets(driver: Driver, hide: Hide): Driver {
  return guarded(driver, hide);
}

/** The responses of a driver to passthrough, without secrets: a system may repeat what it was sent. */
export function hidingPassthrough(driver: Driver, hide: Hide): Driver {
  const { passthrough } = driver;
  if (!passthrough) return driver;
  const { send, select } = passthrough;
  const hidden: Passthrough = {
    ...(send && { send: async (request) => valueWithout(await send(request), hide) }),
    ...(select && { select: async (statement) => valueWithout(await select(statement), hide) }),
  };
  return new Proxy(driver, {
    get: (target, name) => (name === 'passthrough' ? hidden : Reflect.get(target, name, target)),
  });
}

/** A JSON value whose texts contain no secrets. */
export function valueWithout<T>(value: T, hide: Hide): T {
  if (typeof value === 'string') return hide(value) as T;
  if (Array.isArray(value)) return value.map((each) => valueWithout(each, hide)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [hide(name), valueWithout(each, hide)])) as T;
}

/** The events of a driver, without secrets. */
export function eventsWithoutSecrets({ connectionBroke }: DriverEvents, hide: Hide): DriverEvents {
  return connectionBroke ? { connectionBroke: (error) => connectionBroke(withoutSecrets(error, hide)) } : {};
}

/** An object whose methods, and the methods of objects in it, throw failures without secrets. */
function guarded<T extends object>(target: T, hide: Hide): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === 'function') return (...sent: unknown[]) => outcome(() => value.apply(target, sent), hide);
      return isPart(value) ? guarded(value, hide) : value;
    },
  });
}

/** Whether the value is a part of a driver, with methods of its own. */
function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function outcome(call: () => unknown, hide: Hide): unknown {
  try {
    const result = call();
    if (result instanceof Promise) {
      return result.catch((error: unknown) => {
        throw withoutSecrets(error, hide);
      });
    }
    return isIterable(result) ? iterated(result, hide) : result;
  } catch (error) {
    throw withoutSecrets(error, hide);
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* iterated(values: AsyncIterable<unknown>, hide: Hide): AsyncGenerator<unknown> {
  try {
    yield* values;
  } catch (error) {
    throw withoutSecrets(error, hide);
  }
}

/** The same failure, with no secrets in its texts, such as the detail from PostgreSQL, or in those of its causes. */
export function withoutSecrets<T>(error: T, hide: Hide, seen = new WeakSet()): T {
  if (!(error instanceof Error || Array.isArray(error)) || seen.has(error)) return error;
  seen.add(error);
  for (const name of Reflect.ownKeys(error)) {
    const value: unknown = Reflect.get(error, name);
    const hidden = typeof value === 'string' ? hide(value) : withoutSecrets(value, hide, seen);
    if (hidden !== value) Reflect.set(error, name, hidden);
  }
  return error;
}
