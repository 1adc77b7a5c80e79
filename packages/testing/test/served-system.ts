import { connect } from '@unified/testing';
import { startStack } from './stack.ts';
import { synchronize } from './synchronize.ts';
import type { Recipes, Row } from './write-recipe.ts';

/** A service with a connection to a system, and how each entity is written there. */
export interface ServedSystem {
  readonly baseUrl: string;
  /** The token of the connection. */
  readonly token: string;
  readonly recipes: Recipes;
  stop(): Promise<void>;
}

/** A running system, and how to connect to it. */
export interface RunningSystem {
  readonly settings: Row;
  recipes(): Recipes | Promise<Recipes>;
  stop(): Promise<void>;
}

/** Starts a system and a service that has read all of its records. If one fails, what was started is stopped. */
export async function servedSystem(platform: string, start: () => Promise<RunningSystem>): Promise<ServedSystem> {
  await using started = new AsyncDisposableStack();
  const { system, stack } = await startBoth(started, start);
  const recipes = await system.recipes();
  const settings = { ...system.settings, allowPrivateHosts: true };
  const { scope, token } = await connect(stack.database.store, { platform, settings });
  await stack.startWorker();
  await synchronize(stack, scope, 'full');
  const parts = started.move();
  return { baseUrl: stack.baseUrl, token, recipes, stop: () => parts.disposeAsync() };
}

/** Starts a system and a service at the same time, and leaves it to `started` to stop those that have started. */
async function startBoth(started: AsyncDisposableStack, start: () => Promise<RunningSystem>) {
  const [system, stack] = await Promise.allSettled([start(), startStack()]);
  if (system.status === 'fulfilled') started.defer(() => system.value.stop());
  if (stack.status === 'fulfilled') started.defer(() => stack.value.stop());
  if (system.status === 'rejected') throw system.reason;
  if (stack.status === 'rejected') throw stack.reason;
  return { system: system.value, stack: stack.value };
}
