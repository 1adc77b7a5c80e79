import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import type { ButtonNames } from './button-names.ts';
import type { ChangingCalls } from './changing-calls.ts';
import type { Button } from './options.ts';

interface Parts {
  readonly calls: ChangingCalls;
  readonly buttons: ButtonNames;
}

/**
 * Presses a button of a record and checks the resulting state: Tryton silently skips records for which the step is not
 * possible in their state.
 *
 * @param read the record as it is now
 * @throws {SystemError} `rejected` when the state was not reached
 */
export async function press(
  parts: Parts,
  { model, id, name, button }: { model: string; id: number; name: string; button: Button | undefined },
  read: () => Promise<Row | null>,
): Promise<void> {
  if (button?.first) await pressFirst(parts, { model, id, first: button.first }, read);
  // Later series refuse a button whose step is done.
  const isDone = button?.then !== undefined && (await stateOf(read)) === button.then.from;
  if (!isDone) await pressOne(parts, model, name, id);
  if (!button) return;
  let state = await stateOf(read);
  // The step that Tryton takes automatically after the first button can also fail silently; pressing its button reports the
  // reason.
  if (button.then && state === button.then.from) {
    await pressOne(parts, model, button.then.press, id);
    state = await stateOf(read);
  }
  if (!button.to.includes(state)) {
    throw new SystemError('rejected', `"${name}" has no effect on a ${model} in state "${state}"`);
  }
}

/** Presses the buttons that lead to a state in which the step is possible, until one has no effect. */
async function pressFirst(
  parts: Parts,
  { model, id, first }: { model: string; id: number; first: NonNullable<Button['first']> },
  read: () => Promise<Row | null>,
): Promise<void> {
  for (const passed = new Set<string>(); ; ) {
    const state = await stateOf(read);
    const earlier = Object.hasOwn(first, state) && !passed.has(state) ? first[state] : undefined;
    if (earlier === undefined) return;
    passed.add(state);
    await pressOne(parts, model, earlier, id);
  }
}

async function pressOne({ calls, buttons }: Parts, model: string, name: string, id: number): Promise<void> {
  await calls.call(model, await buttons.nameOf(model, name), [[id]]);
}

async function stateOf(read: () => Promise<Row | null>): Promise<string> {
  const row = await read();
  if (!row) throw new SystemError('gone', 'The record no longer exists');
  return String(row.state);
}
