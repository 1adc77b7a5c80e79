import { readFileSync } from 'node:fs';

/**
 * A small OpenAPI document with the requests of some operations. Paths are those of the document, below the version
 * segment, and there are no `servers`.
 */
export interface ValidatorShard {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Schemas that bodies contain more than once. */
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

let loaded: Readonly<Record<string, ValidatorShard>> | undefined;

/** The documents for the request validator, by `Operation.shard`. The file is read once. */
export function validatorShards(): Readonly<Record<string, ValidatorShard>> {
  loaded ??= JSON.parse(readFileSync(new URL('../generated/validators.json', import.meta.url), 'utf8')) as Readonly<
    Record<string, ValidatorShard>
  >;
  return loaded;
}
