import { type Operation, operations, type ValidatorShard, validatorShards } from '@unified/contract';

/** What a server serves: operations, and the small documents that their requests are checked with. */
export interface ServedContract {
  readonly operations: readonly Operation[];
  /** By `Operation.shard`. */
  readonly shards: Readonly<Record<string, ValidatorShard>>;
}

/** All that the document describes. */
export function wholeContract(): ServedContract {
  return { operations, shards: validatorShards() };
}
