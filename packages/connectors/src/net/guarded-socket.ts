import { isIP, Socket } from 'node:net';
import { AddressRefused, type AddressRules, guardedLookup, mayCall } from './address-guard.ts';

/**
 * A socket for clients of databases that connects only to addresses that may be called. The address that is checked is the one
 * that it connects to, whatever the connection string names: a host, an address, or a parameter of its query.
 */
export class GuardedSocket extends Socket {
  readonly #rules: AddressRules;

  constructor(rules: AddressRules) {
    super();
    this.#rules = rules;
  }

  /** Called with a port and a host, or with the path of a Unix socket, which is on this machine. */
  override connect(...given: unknown[]): this {
    const [port, host] = given;
    if (typeof port !== 'number' || typeof host !== 'string') {
      return this.#rules.allowPrivate ? super.connect(String(port)) : this.#refuse(String(port));
    }
    if (isIP(host) !== 0 && !mayCall(host, host, this.#rules)) return this.#refuse(host);
    return super.connect({ port, host, lookup: guardedLookup(this.#rules) });
  }

  #refuse(host: string): this {
    return this.destroy(new AddressRefused(host, host));
  }
}
