import type { Word } from '../word.ts';

/** `{ read, write }`: a word for each direction; a direction without a word does not exist. */
export function directed(read: Word | null, write: Word | null): Word {
  const leading = read ?? write;
  return {
    yields: leading?.yields ?? 'any',
    read: read?.read ?? null,
    write: write?.write ?? null,
    send: null,
    paths: leading?.paths ?? [],
    written: write?.written ?? [],
    ...(leading?.outcomes && { outcomes: leading.outcomes }),
    ...(write?.accepts && { accepts: write.accepts }),
    ...(leading?.listsBlank && { listsBlank: true }),
    ...(leading?.parts && { parts: leading.parts }),
  };
}
