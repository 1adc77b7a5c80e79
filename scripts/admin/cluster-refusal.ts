import { ClusterRefusal } from '@unified/store';
import { Refusal } from '../command-line/usage.ts';

/** Throws the refusal of a cluster as that of the command, and other errors as they are. */
export function clusterRefusal(error: unknown): never {
  if (error instanceof ClusterRefusal) throw new Refusal(error.message, error.remedy, { cause: error });
  throw error;
}
