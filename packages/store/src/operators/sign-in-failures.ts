import { hash } from 'node:crypto';
import { asOwner, type Store } from '../access/store.ts';

/**
 * How attempts are limited: the number that is free for a name and for any names, and the first and the longest wait in seconds.
 */
const FREE_OF_NAME = 5;
const FREE_OF_NETWORK = 30;
const FIRST_WAIT = 15;
const LONGEST_WAIT = 900;

/**
 * Counts an attempt to sign in to this name from this network, before its password is checked, so that concurrent attempts count
 * as well. Returns 0 if the attempt may be made, otherwise the seconds to wait: from the fifth on, each attempt doubles the wait
 * until the next. Attempts on the same name from other networks are counted separately, so no one can lock out another person.
 * All attempts of a network in a day are counted as well, and wait from the thirtieth on. They are forgotten after a day.
 */
export async function countSignIn(store: Store, name: string, network: string): Promise<number> {
  await asOwner(store, `delete from unified.sign_in_failures where "at" < now() - interval '1 day'`);
  const wait = await counted(store, keyOf(name, network), FREE_OF_NAME);
  return wait === 0 ? counted(store, keyOfNetwork(network), FREE_OF_NETWORK) : wait;
}

async function counted(store: Store, key: string, free: number): Promise<number> {
  const { rowCount } = await asOwner(
    store,
    `insert into unified.sign_in_failures as f (key, failures) values ($1, 1)
     on conflict (key) do update set failures = f.failures + 1, "at" = now(), "blockedUntil" =
       case when f.failures + 1 >= $2::int
         then now() + make_interval(secs => least($3::int * power(2, least(f.failures + 1 - $2::int, 20)), $4::int)) end
     where f."blockedUntil" is null or f."blockedUntil" <= now()`,
    [key, free, FIRST_WAIT, LONGEST_WAIT],
  );
  if (rowCount !== 0) return 0;
  const { rows } = await asOwner<{ wait: number }>(
    store,
    `select greatest(1, ceil(extract(epoch from "blockedUntil" - now())))::int as wait from unified.sign_in_failures
      where key = $1`,
    [key],
  );
  return rows[0]?.wait ?? 1;
}

/** Forgets the attempts on a name after a success, which does not count as an attempt of the network either. */
export async function forgetSignIns(store: Store, name: string, network: string): Promise<void> {
  await asOwner(store, 'delete from unified.sign_in_failures where key = $1', [keyOf(name, network)]);
  await asOwner(
    store,
    'update unified.sign_in_failures set failures = failures - 1, "blockedUntil" = null where key = $1 and failures > 0',
    [keyOfNetwork(network)],
  );
}

/** Contains the day, so that mistakes of many people in one network do not add up for weeks. */
function keyOfNetwork(network: string): string {
  return hash('sha256', JSON.stringify({ network, day: new Date().toISOString().slice(0, 10) }), 'hex');
}

function keyOf(name: string, network: string): string {
  return hash('sha256', JSON.stringify([name.toLowerCase(), network]), 'hex');
}
