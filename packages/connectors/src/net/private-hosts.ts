import { BlockList, isIP } from 'node:net';

/** Hosts inside the operator's own network that connections may call. */
export interface PrivateHosts {
  /** Whether a host with this name, at this address, is among them. */
  includes(hostname: string, address: string): boolean;
}

/** Whether `address` is an IPv4 or IPv6 address of one of the networks of `list`. */
function listed(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Reads the operator's list (`ALLOW_PRIVATE_HOSTS`): host names, addresses and networks separated by commas, for example
 * `erp.intranet, 10.1.0.0/16`; `*` is every host. If it is empty or absent, no host is allowed.
 *
 * @throws {Error} when an entry is not well-formed: a typing mistake must not allow or block more than intended.
 */
export function parsePrivateHosts(text: string | undefined): PrivateHosts {
  const entries = (text ?? '').split(',').map((entry) => entry.trim().toLowerCase());
  const names = new Set<string>();
  const networks = new BlockList();
  for (const entry of entries.filter((each) => each !== '')) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits !== undefined) networks.addSubnet(address, prefixLength(entry, bits), family);
    else if (isIP(address) !== 0) networks.addAddress(address, family);
    else names.add(hostName(entry));
  }
  return {
    includes: (hostname, address) =>
      names.has('*') || names.has(hostname.toLowerCase()) || (isIP(address) !== 0 && listed(networks, address)),
  };
}

function prefixLength(entry: string, bits: string): number {
  if (!/^\d{1,3}$/.test(bits)) throw malformed(entry);
  return Number(bits);
}

/** Names cannot contain wildcards: `*.intranet` would allow no host, contrary to what its author expects. */
function hostName(entry: string): string {
  if (entry !== '*' && !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(entry)) throw malformed(entry);
  return entry;
}

function malformed(entry: string): Error {
  const forms = 'host names, addresses and networks such as 10.1.0.0/16, separated by commas';
  return new Error(`ALLOW_PRIVATE_HOSTS must contain ${forms}, or be *. It contains "${entry}".`);
}
