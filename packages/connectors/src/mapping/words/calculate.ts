import { isBlank, type Problems, unusable } from '../problem.ts';
import { numeral } from '../scalar-text.ts';
import type { Read, Word, Write } from '../word.ts';

export type Operation = 'add' | 'subtract' | 'multiply' | 'divide';

interface Options {
  readonly operation: Operation;
  /** Digits after the point that the result is rounded to. */
  readonly decimals?: number;
}

const apply: { readonly [O in Operation]: (left: number, right: number) => number } = {
  add: (left, right) => left + right,
  subtract: (left, right) => left - right,
  multiply: (left, right) => left * right,
  divide: (left, right) => left / right,
};

const inverse = { add: 'subtract', subtract: 'add', multiply: 'divide', divide: 'multiply' } as const;

/** Significant digits of a result, so that 0.1 and 0.2 are 0.3. */
const DIGITS = 15;

/**
 * `calculate`: the result of an operation on numbers, from left to right; null if one of them is missing. It can be written if
 * the first word can be written and all others are constants: the column then gets the value that yields the result.
 */
export function calculate(words: readonly Word[], { operation, decimals }: Options): Word {
  const reads = words.map(({ read }) => read).filter((read) => read !== null);
  const rounded = (value: number) => (decimals === undefined ? value : Number(value.toFixed(decimals)));
  const result = (numbers: readonly number[]) => rounded(Number(numbers.reduce(apply[operation]).toPrecision(DIGITS)));
  const [first, ...others] = words;
  const constants = others.map(({ outcomes, paths }) => (paths.length === 0 ? outcomes?.[0] : undefined));
  const writes = first?.write && constants.every((each) => typeof each === 'number' && each !== 0) ? first.write : null;
  return {
    yields: 'number',
    read: reads.length === words.length ? reading(reads, result) : null,
    write: writes && writing(writes, (value) => constants.map(Number).reduce(apply[inverse[operation]], value)),
    send: null,
    paths: words.flatMap(({ paths }) => paths),
    written: writes && first ? first.written : [],
  };
}

function reading(reads: readonly Read[], result: (numbers: readonly number[]) => number): Read {
  return (row, problems) => {
    const values = reads.map((read) => read(row, problems));
    if (values.some(isBlank)) return null;
    const numbers = values.map((value) => (typeof value === 'string' ? numeral(value.trim()) : value));
    const strange = numbers.findIndex((value) => typeof value !== 'number' || !Number.isFinite(value));
    if (strange >= 0) return unreadable(problems, values[strange], 'The value is not a number.');
    const found = result(numbers as number[]);
    return Number.isFinite(found) ? found : unreadable(problems, values.at(-1), 'The value cannot be calculated with.');
  };
}

function unreadable(problems: Problems | undefined, value: unknown, message: string): null {
  return unusable(problems, value, message);
}

function writing(write: Write, back: (value: number) => number): Write {
  return (value, out, name, unsupported) => {
    if (value === null) write(null, out, name, unsupported);
    else if (typeof value !== 'number') unsupported.push(name);
    else write(Number(back(value).toPrecision(DIGITS)), out, name, unsupported);
  };
}
