/**
 * The result of a command of a database. If it takes longer, an error of the connection: its client waits without a limit for a
 * server that is silent.
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
