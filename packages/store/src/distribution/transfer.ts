import type { ShardPlace } from './connection-place.ts';
import type { ClusterNode } from './nodes.ts';

/** A connection that is moved to another server. */
export interface Transfer {
  readonly connectionId: string;
  readonly place: ShardPlace;
  readonly to: ClusterNode;
  readonly blockWrites: boolean;
}
