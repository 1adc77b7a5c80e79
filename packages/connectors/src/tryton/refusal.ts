import { SystemError } from '../system-error.ts';

/** A warning that Tryton wants to be confirmed before it goes on. */
export class TrytonWarning extends SystemError {
  /** Key of the warning, to be confirmed by a record of `res.user.warning`. */
  readonly key: string;

  constructor(key: string, words: string) {
    super('rejected', words);
    this.key = key;
  }
}

/** What an `error` of an answer means. Its first element is the name of an exception, or the text of an unforeseen one. */
export function refusalOf(error: unknown): SystemError {
  const [name, details] = Array.isArray(error) ? error : [undefined, undefined];
  const texts = (Array.isArray(details) ? details : [details]).map((each) => (typeof each === 'string' ? each : ''));
  switch (name) {
    case 'UserError':
      return new SystemError('rejected', sentence(texts[0], texts[1]));
    case 'UserWarning':
      return new TrytonWarning(texts[0] ?? '', sentence(texts[1], texts[2]));
    case 'ConcurrencyException':
      return new SystemError('conflict', texts[0] || 'The record was changed by someone else at the same time');
    case 'LoginException':
      return new SystemError('unauthorized', sentence(texts[1], 'Tryton asks for more than a password'));
    case 'RateLimitException':
      return new SystemError('throttled', 'Tryton takes no more calls for now', { retryAfter: 60 });
    default:
      return unforeseen(name);
  }
}

/** Tryton rolls back what it was doing when its program fails; a locked database is worth another try. */
function unforeseen(name: unknown): SystemError {
  if (typeof name !== 'string' || name === '')
    return new SystemError('invalid', 'Tryton reports an error without words');
  const passing = /database is locked|could not serialize|deadlock detected|could not obtain lock/i.test(name);
  return new SystemError(passing ? 'conflict' : 'rejected', name.slice(0, 2000));
}

function sentence(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ') || 'Tryton refused without a reason';
}
