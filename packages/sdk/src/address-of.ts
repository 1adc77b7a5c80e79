import { prefix, rootPaths } from './generated/collections.ts';

/** The address of a path of the document on its server. A few, such as those of OAuth, have no version segment. */
export function addressOf(path: string): string {
  return rootPaths.includes(path) ? path : prefix + path;
}
