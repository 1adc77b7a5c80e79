import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Operation, ServiceError } from '@unified/contract';
import { type Check, createCheck } from './request-check.ts';
import type { DescribedParameters, ServedContract } from './served-contract.ts';
import { describedPlaces } from './served-contract.ts';
import { validationError } from './validation-error.ts';

/** A request as it came, its query decoded and its body parsed. */
interface UncheckedRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A request after the check: declared types, defaults filled in, headers under their names in the document. */
export interface CheckedRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Validator {
  /** Checks a request against the document. Rejects as `validationError` says. */
  validate(operation: Operation, described: DescribedParameters, request: UncheckedRequest): Promise<CheckedRequest>;
  /**
   * Compiles the checks of operations, so that no request waits for its own: one per turn of the event loop, each when
   * `quiet` settles.
   */
  warm(operations: readonly Operation[], signal: AbortSignal, quiet: () => Promise<void>): Promise<void>;
}

const INTEGER = /^-?\d{1,15}$/;

/** A validator made of one small express-openapi-validator per shard of the document, each built when first needed. */
export function createValidator(shards: ServedContract['shards']): Validator {
  const checks = new Map<string, Check>();
  const checkOf = (shard: string): Check => {
    const known = checks.get(shard) ?? createCheck(shardOf(shards, shard));
    checks.set(shard, known);
    return known;
  };
  return {
    async validate(operation, described, request) {
      checkIntegers(described.integers, request.query);
      const sent = Object.fromEntries(
        described.headers.map((name) => [name.toLowerCase(), request.headers[name.toLowerCase()]]),
      );
      try {
        const { path, query, headers, body } = await checkOf(operation.shard)(operation, { ...request, headers: sent });
        const named = described.headers.flatMap((name) => {
          const value = headers[name.toLowerCase()];
          return typeof value === 'string' ? [[name, value]] : [];
        });
        return { path, query, headers: Object.fromEntries(named), body };
      } catch (error) {
        const { query, body } = request;
        throw validationError(error, { operation, places: describedPlaces(shards, operation), query, body });
      }
    },
    async warm(operations, signal, quiet) {
      for (const operation of operations) {
        await nextTurn();
        await quiet();
        if (signal.aborted) return;
        // Nothing fits this request; what matters is that its check is compiled.
        await Promise.allSettled([checkOf(operation.shard)(operation, { path: {}, query: {}, headers: {}, body: {} })]);
      }
    },
  };
}

/** The validator coerces `1e1`, `0x10` and ` 5 ` to numbers; a page number is written in digits. */
function checkIntegers(names: readonly string[], query: Readonly<Record<string, unknown>>): void {
  for (const name of names) {
    const value = query[name];
    if (typeof value !== 'string' || INTEGER.test(value)) continue;
    const message = 'Send a whole number.';
    throw new ServiceError('SERVICE_INVALID_PARAMETER', `query/${name}: ${message}`, {
      details: [{ path: `query/${name}`, message }],
    });
  }
}

function shardOf(shards: ServedContract['shards'], name: string) {
  const shard = shards[name];
  if (!shard) throw new Error(`The contract has no validator document "${name}".`);
  return shard;
}
