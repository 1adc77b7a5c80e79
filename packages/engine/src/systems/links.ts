import type { Driver, Platform } from '@unified/connectors';
import { connectionById, connectionSettings, type Scope, type Store } from '@unified/store';
import type { Logger } from 'pino';
import { type Broker, createBroker } from '../quota/broker.ts';
import type { Systems } from './systems.ts';

/** An open link to the system of one connection. */
export interface Link {
  readonly connectionId: string;
  readonly scope: Scope;
  readonly platform: Platform;
  readonly driver: Driver;
  readonly broker: Broker;
  /** As they were given with the connection; they hold secrets. */
  readonly settings: Settings;
}

type Settings = Parameters<Systems['openDriver']>[1];

/** Links of this process, opened when they are first needed. */
export interface Links {
  /** The link of a connection, by its settings of now; null: the connection is inactive or gone. */
  open(connectionId: string): Promise<Link | null>;
  close(): Promise<void>;
}

/** Calls that one connected system gets at once from one process. */
const CALLS_AT_ONCE = 4;

interface Kept {
  readonly link: Link;
  /** Differs when the connection was changed since. */
  readonly updatedAt: string;
}

export function createLinks(options: { store: Store; systems: Systems; log: Logger }): Links {
  const { store, systems, log } = options;
  const kept = new Map<string, Kept>();
  const brokers = new Map<string, Broker>();

  const drop = (connectionId: string) => {
    const old = kept.get(connectionId);
    kept.delete(connectionId);
    old?.link.driver.close().catch((err) => log.warn({ err, connectionId }, 'a link did not close'));
  };

  const brokerOf = (connectionId: string) => {
    const broker = brokers.get(connectionId) ?? createBroker(CALLS_AT_ONCE);
    brokers.set(connectionId, broker);
    return broker;
  };

  return {
    async open(connectionId) {
      const connection = await connectionById(store, connectionId);
      const known = kept.get(connectionId);
      if (known && known.updatedAt === connection?.updatedAt) return known.link;
      drop(connectionId);
      if (connection?.status !== 'active') return null;
      const settings = ((await connectionSettings(store, connectionId)) ?? {}) as Settings;
      const platform = systems.platformOf(connection.platform);
      const link = {
        connectionId,
        scope: store.scope({ applicationId: connection.applicationId, connectionId }),
        platform,
        driver: systems.openDriver(platform, settings),
        broker: brokerOf(connectionId),
        settings,
      };
      kept.set(connectionId, { link, updatedAt: connection.updatedAt });
      return link;
    },
    async close() {
      const links = [...kept.values()];
      kept.clear();
      await Promise.all(links.map(({ link }) => link.driver.close()));
    },
  };
}
