import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** How long a name is looked up, in milliseconds. */
const TIMEOUT_MS = 3_000;

/** A name could not be looked up in time. */
export class HostLookupTimedOut extends Error {}

/** Finds the addresses of hosts. */
@Injectable()
export class HostResolver {
  private previous: Promise<unknown> = Promise.resolve();

  /**
   * Every address that whoever connects to the host may take, as the system finds them.
   *
   * @returns none when there is none to be found
   * @throws HostLookupTimedOut
   */
  async addressesOf(host: string): Promise<readonly string[]> {
    const deadline = Date.now() + TIMEOUT_MS;
    // One at a time: Node does this on few threads, on which the database's own name is looked up as well.
    const addresses = this.previous.then(() => (Date.now() < deadline ? allAddresses(host) : undefined));
    this.previous = addresses;
    const patience = new AbortController();
    const found = await Promise.race([addresses, delay(TIMEOUT_MS, undefined, { signal: patience.signal })]).finally(
      () => patience.abort(),
    );
    if (found === undefined) throw new HostLookupTimedOut();
    return found;
  }
}

async function allAddresses(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    // Nobody knows the name, or nobody is there to ask: in either case nobody can connect to it now.
    return [];
  }
}
