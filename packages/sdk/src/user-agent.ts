import { version } from './generated/version.ts';

/**
 * The `User-Agent` of requests in Node and runtimes like it: `unified-sdk/0.1.0`. Undefined in pages, whose browsers set their
 * own, and where a custom one would require a preflight request.
 */
export function userAgent(): string | undefined {
  const { process, document } = globalThis as { process?: { versions?: { node?: string } }; document?: unknown };
  return process?.versions?.node !== undefined && document === undefined ? `unified-sdk/${version}` : undefined;
}
