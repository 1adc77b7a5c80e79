import { compileCondition, conditionPaths } from '../compile-condition.ts';
import type { Condition, Scalar } from '../definition.ts';
import { isBlank } from '../problem.ts';
import { refuse, type SchemaPath } from '../schema-path.ts';
import type { Read, Word, Yield } from '../word.ts';

/**
 * `coalesce`: the first value that is neither null nor blank text, unless the mapping lists blank text. Writes go to the first
 * word that can be written.
 */
export function coalesce(words: readonly Word[], place: SchemaPath): Word {
  const writing = words.find(({ write }) => write !== null);
  return {
    yields: common(words, place),
    read: firstOf(words.map(valued)),
    write: writing?.write ?? null,
    written: writing?.written ?? [],
    send: firstOf(words.map(({ send }) => send)),
    paths: words.flatMap(({ paths }) => paths),
    ...outcomesOf(words),
    listsBlank: words.some(({ listsBlank }) => listsBlank),
  };
}

/** `when`: one of two words by a condition. */
export function when(condition: Condition, then: Word, otherwise: Word, place: SchemaPath): Word {
  const test = compileCondition(condition, place);
  const branch = (yes: Read | null, no: Read | null): Read | null =>
    yes && no && ((row, problems) => (test(row) ? yes(row, problems) : no(row, problems)));
  return {
    yields: common([then, otherwise], place),
    read: branch(valued(then), valued(otherwise)),
    write: null,
    written: [],
    send: branch(then.send, otherwise.send),
    paths: [...conditionPaths(condition), ...then.paths, ...otherwise.paths],
    ...outcomesOf([then, otherwise]),
    listsBlank: [then, otherwise].some(({ listsBlank }) => listsBlank),
  };
}

/** Reads blank text as null, unless the mapping lists it. */
function valued({ read, listsBlank }: Word): Read | null {
  if (read === null || listsBlank) return read;
  return (row, problems) => {
    const value = read(row, problems);
    return isBlank(value) ? null : value;
  };
}

function firstOf(reads: readonly (Read | null)[]): Read | null {
  const present = reads.filter((read) => read !== null);
  if (present.length < reads.length) return null;
  return (row, problems) => {
    const before = problems?.length ?? 0;
    for (const read of present) {
      const value = read(row, problems);
      if (value === null) continue;
      // A later word has read the value that an earlier one could not.
      if (problems) problems.length = before;
      return value;
    }
    return null;
  };
}

/** The common result type of several words; only references must not be mixed with values. */
function common(words: readonly Word[], place: SchemaPath): Yield {
  const kinds = new Set(words.filter(({ outcomes }) => outcomes?.length !== 0).map(({ yields }) => yields));
  const [first = 'any'] = kinds;
  if (kinds.size <= 1) return first;
  if (kinds.has('reference') || kinds.has('references')) refuse(place, 'mixes references with plain values');
  return 'any';
}

function outcomesOf(words: readonly Word[]): { outcomes?: readonly Scalar[] } {
  const outcomes: Scalar[] = [];
  for (const word of words) {
    if (word.outcomes === undefined) return {};
    outcomes.push(...word.outcomes);
  }
  return { outcomes };
}
