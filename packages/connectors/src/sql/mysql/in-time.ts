/**
 * The result of a database command. If it takes longer than `ms`, throws a connection error, because the client would wait
 * indefinitely for a server that does not respond.
 */
export async function inTime<T>(command: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = Object.assign(new Error(`The database did not respond within ${ms} ms`), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => reject(error), ms);
  try {
    return await Promise.race([command, late]);
  } finally {
    clearTimeout(timer);
  }
}
