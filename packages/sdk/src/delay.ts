/** Waits. Rejects with the reason of `signal` when it is aborted. */
export type Delay = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

export const delay: Delay = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
