import { isIP } from 'node:net';
import { mayCall } from '../net/address-guard.ts';
import { parsePrivateHosts } from '../net/private-hosts.ts';

/**
 * Why events cannot be sent to an address; undefined if they can, as far as is known without looking up its host name. The
 * addresses of a host name are checked with each request. `http` is allowed only for hosts that the operator lists in
 * `ALLOW_PRIVATE_HOSTS`.
 */
export function webhookAddressFault(text: string, allowed = process.env.ALLOW_PRIVATE_HOSTS): string | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'It must be an absolute https address.';
  if (url.username !== '' || url.password !== '')
    return 'It must not contain credentials; verify the signature instead.';
  const privateHosts = parsePrivateHosts(allowed);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayCall(host, host, { allowPrivate: false, privateHosts })) return NOT_PUBLIC;
  if (url.protocol === 'http:' && !privateHosts.includes(host, host))
    return 'It must be an https address. The operator of the service can allow http to a host.';
  return undefined;
}

const NOT_PUBLIC =
  'It must be a public address. The operator of the service can allow others with ALLOW_PRIVATE_HOSTS.';
