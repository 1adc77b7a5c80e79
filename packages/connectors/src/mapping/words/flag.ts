import type { Scalar } from '../definition.ts';
import type { Word, Words } from '../word.ts';

/**
 * `flag`: the name of the first word that reads true, in the order of the mapping, or `otherwise` if none does. A write sets
 * each word to whether its name is sent.
 */
export function flag(words: Words, otherwise: string | null): Word {
  const reads = words.flatMap(([name, { read }]) => (read ? [[name, read] as const] : []));
  const writes = words.flatMap(([name, { write }]) => (write ? [[name, write] as const] : []));
  const outcomes: Scalar[] = [...words.map(([name]) => name), ...(otherwise === null ? [] : [otherwise])];
  return {
    yields: 'text',
    read: (row, problems) => reads.find(([, read]) => read(row, problems) === true)?.[0] ?? otherwise,
    write:
      writes.length < words.length
        ? null
        : (value, out, name, unsupported) => {
            if (value !== null && !outcomes.includes(value as Scalar)) unsupported.push(name);
            else for (const [flag, write] of writes) write(flag === value, out, name, unsupported);
          },
    send: null,
    paths: words.flatMap(([, { paths }]) => paths),
    written: writes.length < words.length ? [] : words.flatMap(([, { written }]) => written),
    outcomes,
  };
}
