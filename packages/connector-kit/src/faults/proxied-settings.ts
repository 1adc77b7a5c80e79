import { type Platform, settingsOf } from '@unified/connectors';
import type { Settings } from '../system-under-test.ts';
import { FaultPlan, httpFaults, tcpFaults } from './fault-plan.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { startHttpFaultProxy } from './http-fault-proxy.ts';
import { startTcpFaultProxy } from './tcp-fault-proxy.ts';

/** A proxy with the settings of a connection through it. */
export interface Proxied {
  readonly proxy: FaultProxy;
  readonly plan: FaultPlan;
  /** Only the settings that differ. */
  readonly settings: Settings;
}

/** Share of requests that fail. It is high because a page of a stream in a database needs only one request. */
const SHARE = 0.3;

/**
 * Starts a proxy for the address in the settings. Returns null if the system is a file, which has no connection that
 * could fail.
 */
export async function startProxyFor(platform: Platform, settings: Settings, seed: number): Promise<Proxied | null> {
  const { url } = settings;
  if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).host === '') return null;
  const isHttp = /^https?:/.test(url);
  const plan = new FaultPlan({ seed, faults: isHttp ? httpFaults : tcpFaults, share: SHARE });
  const proxy = await (isHttp ? startHttpFaultProxy(url, plan) : startTcpFaultProxy(url, plan));
  const allowed = settingsOf(platform).has('allowPrivateHosts') ? { allowPrivateHosts: true } : {};
  const others = isHttp ? onSameServer(settings, new URL(url).origin, new URL(proxy.url).origin) : {};
  return { proxy, plan, settings: { ...others, url: proxy.url, ...allowed } };
}

/** Other addresses on the server, such as the one that issues tokens: a driver may call another host only if it is public. */
function onSameServer(settings: Settings, origin: string, proxy: string): Settings {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      typeof value === 'string' && value.startsWith(`${origin}/`) ? [[name, proxy + value.slice(origin.length)]] : [],
    ),
  );
}
