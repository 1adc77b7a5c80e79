import { closestMatch } from 'leven';

const LONGEST = 80;

/**
 * The candidate that was probably meant by a misspelled name, or undefined if none is close: about one letter in three may
 * differ, or two neighboring letters may be swapped. Case and the separators `_`, `-` and space are ignored.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const sent = bare(name);
  const byBare = new Map(candidates.map((candidate) => [bare(candidate), candidate]));
  const known = [...byBare.keys()];
  const maxDistance = Math.min(Math.max(1, Math.floor(sent.length / 3)), sent.length - 1);
  if (maxDistance < 0) return undefined;
  const swapped = known.filter((each) => lettersOf(each) === lettersOf(sent));
  const found = closestMatch(sent, known, { maxDistance }) ?? closestMatch(sent, swapped, { maxDistance: 2 });
  return found === undefined ? undefined : byBare.get(found);
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, '');
}

function lettersOf(text: string): string {
  return [...text].sort().join('');
}
