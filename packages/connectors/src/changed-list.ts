import { SystemError } from './system-error.ts';

/**
 * Refuses to write a list whose current rows differ from those known here, because rows that another user has added would be
 * deleted. `known` and `now` are keys of rows. Without `known`, no list is refused.
 *
 * @throws SystemError `outdated` with the rows that were added and removed
 */
export function refuseChangedList(name: string, known: readonly string[] | undefined, now: readonly string[]): void {
  if (known === undefined) return;
  const added = now.filter((key) => !known.includes(key));
  const removed = known.filter((key) => !now.includes(key));
  if (added.length === 0 && removed.length === 0) return;
  const words =
    'The list was changed in the connected system after it was read here. Read the record again, and send its list with the change';
  throw new SystemError('outdated', words, { columns: [name], changedRows: { added, removed } });
}
