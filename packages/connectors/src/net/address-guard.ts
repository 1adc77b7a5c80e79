import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { PrivateHosts } from './private-hosts.ts';

/** Which addresses may be called in addition to public ones. */
export interface AddressRules {
  /** Hosts that the operator allowed; any address except unspecified, broadcast and multicast ones. */
  readonly privateHosts: PrivateHosts;
  /** Whether this connection may call any address of a private network or of this machine. */
  readonly allowPrivate: boolean;
}

const privateRanges = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);
const neverCalled = new Set(['unspecified', 'broadcast', 'multicast']);
/**
 * The only range of IPv6 that is assigned for public use; `::127.0.0.1` and other forms that contain IPv4 are outside
 * it.
 */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a socket to `address`, found under the name `hostname`, may be opened. */
export function mayCall(hostname: string, address: string, rules: AddressRules): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(PUBLIC_IPV6))) return true;
  if (neverCalled.has(range)) return false;
  if (rules.privateHosts.includes(hostname, parsed.toString())) return true;
  return rules.allowPrivate && privateRanges.has(range);
}

const REMEDY =
  'Allow it with the setting allowPrivateHosts (--allow-private-hosts), if the platform has it, or ALLOW_PRIVATE_HOSTS';

/** The address may not be called, and nothing was sent. The message names addresses of the network. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  /** `address` was found under the name `hostname`, or is the same text. */
  constructor(hostname: string, address: string) {
    const where = hostname === address ? address : `${hostname} (${address})`;
    super(`${where} is not a public address. ${REMEDY}`);
  }
}

/**
 * Whether an error, or one that caused it, is an `AddressRefused` or a failed lookup of a name. Clients must not see which of
 * the two it is, because that would reveal which names exist in the network of the service.
 */
export function isFailedAddress(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isLookup = 'syscall' in error && error.syscall === 'getaddrinfo';
  return isLookup || error instanceof AddressRefused || isFailedAddress(error.cause);
}

/**
 * A replacement for `dns.lookup` that yields only addresses that may be called. Sockets connect to exactly what it
 * yields, so a name that resolves differently the next time has no advantage.
 */
export function guardedLookup(rules: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const refused = addresses.find(({ address }) => !mayCall(hostname, address, rules));
      if (refused) return callback(new AddressRefused(hostname, refused.address), '', 0);
      const [first] = addresses;
      if (options.all || !first) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
