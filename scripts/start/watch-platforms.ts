import { problemLine, reloadPlatforms } from '@unified/connectors';
import type { Logger } from 'pino';

/** Milliseconds between two comparisons of the files. */
const EVERY_MS = 3_000;

/** Loads platforms again when their files change. Files that cannot be used are reported, and the platform stays as it was. */
export function watchPlatforms(log: Logger, say: (text: string) => void): { close(): Promise<void> } {
  const look = () => {
    try {
      for (const { id, problems } of reloadPlatforms()) {
        say(problems.length === 0 ? `loaded the platform ${id} again` : `✗ ${problems.map(problemLine).join('; ')}`);
      }
    } catch (err) {
      log.warn({ err }, 'changed platforms were not loaded');
    }
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return { close: async () => clearInterval(timer) };
}
