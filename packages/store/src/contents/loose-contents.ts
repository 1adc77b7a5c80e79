import { sessionOf } from '../scope.ts';
import type { ContentPlace } from './content-storage.ts';

/** Removes bytes that no content stands for, and then the note of them: should it break off, it is done again. */
export async function removeLoose(place: ContentPlace): Promise<void> {
  const { scope, contentId } = place;
  await scope.contents.remove(place);
  await sessionOf(scope).run('delete from unified.loose_contents where connection_id = $1 and "contentId" = $2', [
    scope.connectionId,
    contentId,
  ]);
}
