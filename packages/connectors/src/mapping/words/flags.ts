import type { Word, Words } from '../word.ts';

/** `flags`: the names whose word reads true, in the order of the mapping. A write sets each word to whether its name is sent. */
export function flags(words: Words): Word {
  const reads = words.flatMap(([name, { read }]) => (read ? [[name, read] as const] : []));
  const writes = words.flatMap(([name, { write }]) => (write ? [[name, write] as const] : []));
  return {
    yields: 'texts',
    read: (row, problems) => reads.flatMap(([name, read]) => (read(row, problems) === true ? [name] : [])),
    write:
      writes.length < words.length
        ? null
        : (value, out, name, unsupported) => {
            const sent = new Set(Array.isArray(value) ? value : []);
            for (const [flag, write] of writes) write(sent.has(flag), out, name, unsupported);
          },
    send: null,
    paths: words.flatMap(([, { paths }]) => paths),
    written: writes.length < words.length ? [] : words.flatMap(([, { written }]) => written),
  };
}
