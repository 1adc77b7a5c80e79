import type { ChangedPage, Json } from '@unified/connectors';

/** A page, with the note that the caller took before it was requested. */
export interface ObservedPage<Note> extends ChangedPage {
  readonly note: Note;
}

/**
 * The pages of a pass from `from` on. While one page is stored by the caller, the next is already being pulled. `note`
 * is called before each pull.
 */
export async function* pullPages<Note>(
  pull: (from: Json | null) => Promise<ChangedPage>,
  from: Json | null,
  note: () => Promise<Note>,
): AsyncGenerator<ObservedPage<Note>, void, void> {
  const observe = async (position: Json | null): Promise<ObservedPage<Note>> => {
    const noted = await note();
    return { ...(await pull(position)), note: noted };
  };
  let pulling = observe(from);
  for (;;) {
    const page = await pulling;
    if (page.next === null) return yield page;
    pulling = observe(page.next);
    // A failure is thrown when the page is awaited; unhandled until then it would end the process.
    pulling.catch(() => {});
    yield page;
  }
}
