import type { Driver } from './driver.ts';
import type { Hide } from './known-secrets.ts';
import type { Passthrough } from './passthrough/passthrough.ts';
import type { DriverEvents } from './protocol.ts';

/**
 * A driver whose failures contain no secrets, whether they are settings or issued by the system: a system may repeat what it was
 * sent, and its messages are stored and shown to clients.
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
