import type { Systems } from '@unified/engine';
import type { RunningTryton } from '../../../test-systems/tryton/start.ts';
import { startTryton } from '../../../test-systems/tryton/start.ts';
import { startProxy, type TrytonProxy } from './proxy.ts';
import { delivered, type Stack, startStack } from './stack.ts';
import { connectTryton, type TrytonConnection } from './tryton-connection.ts';

/** Entities of purchases and of the masters that they refer to: a sync of all entities would be most of the time of a test. */
export const TRADED: readonly string[] = [
  ...['Account', 'Address', 'Currency', 'Customer', 'Employee', 'InventoryItem', 'Item', 'Location', 'Organization'],
  ...['Partner', 'PurchaseOrder', 'PurchaseOrderLine', 'Unit', 'Vendor'],
];

/** The service, connected to its own Tryton through a proxy, after the first sync. */
export interface Trade extends TrytonConnection {
  readonly tryton: RunningTryton;
  readonly proxy: TrytonProxy;
  readonly stack: Stack;
  stop(): Promise<void>;
}

/**
 * Starts the service, Tryton and the proxy. `prepare` changes Tryton before the first sync; `settings` are added to those of
 * the connection.
 */
export async function startTrade(
  options: {
    readonly prepare?: (tryton: RunningTryton) => Promise<unknown>;
    readonly settings?: Readonly<Record<string, unknown>>;
    /** Platforms to use instead of the shipped ones with only the entities of purchases. */
    readonly systems?: Systems;
  } = {},
): Promise<Trade> {
  const [tryton, stack] = await Promise.all([startTryton(), startStack(options.systems ?? delivered(TRADED))]);
  const proxy = await startProxy(tryton.url);
  const stop = async () => {
    await stack.stop();
    await proxy.stop();
    await tryton.stop();
  };
  try {
    await options.prepare?.(tryton);
    await stack.startWorker();
    const connection = await connectTryton(stack, { ...tryton, url: proxy.url }, options.settings);
    await connection.sync('full');
    return { ...connection, tryton, proxy, stack, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
