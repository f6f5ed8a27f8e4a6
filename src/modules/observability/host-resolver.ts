import { CANCELLED, TIMEOUT } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { FairQueue } from '../../limits/fair-queue.js';
import { addressesInHostsFile } from './hosts-file.js';

/** What part of the time of a look-up one name server has for one question, and how often it is asked. */
const PART_FOR_ANSWER = 0.35;
const TRIES = 2;

/** Who asks for the addresses of a host. */
export interface HostLookup {
  readonly organizationId: string;
  /** Aborted when nobody waits for the outcome any more. */
  readonly signal?: AbortSignal;
}

/** A name could not be looked up in time. */
export class HostLookupTimedOut extends Error {}

/**
 * Finds the addresses of hosts: in the hosts file, and from the name servers of DNS_SERVERS or of the system. Organizations
 * share the look-ups, so that the names of one that nobody answers for are no other's waiting time.
 */
@Injectable()
export class HostResolver {
  private readonly queue = new FairQueue({
    reason: 'too_many_host_lookups',
    concurrency: 64,
    // Fewer together than an organization may have requests under way, so that looking up names does not take them all.
    concurrencyPerOrganization: 4,
    waitingPerOrganization: 4,
    retryAfterSeconds: 2,
  });

  constructor(private readonly environment: Environment) {}

  /**
   * Every address that whoever connects to the host may take.
   *
   * @param host a name or an address, in lower case
   * @returns none when there is none to be found
   * @throws HostLookupTimedOut also when the signal is aborted
   * @throws RateLimitExceededError when too many look-ups of the organization wait already
   */
  async addressesOf(host: string, { organizationId, signal }: HostLookup): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    try {
      return await this.queue.run(organizationId, () => this.lookUp(host, signal), signal);
    } catch (error) {
      if (signal?.aborted) throw new HostLookupTimedOut();
      throw error;
    }
  }

  private async lookUp(host: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
    const { dnsServers, dnsTimeoutMs } = this.environment;
    // One for each name, because cancelling ends all that a resolver is asked.
    const resolver = new Resolver({ timeout: Math.floor(dnsTimeoutMs * PART_FOR_ANSWER), tries: TRIES });
    if (dnsServers.length > 0) resolver.setServers(dnsServers);
    const cancel = (): void => resolver.cancel();
    const timer = setTimeout(cancel, dnsTimeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const found = await Promise.all([
        addressesInHostsFile(host),
        answered(resolver.resolve4(host)),
        answered(resolver.resolve6(host)),
      ]);
      return found.flat();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }
}

/** @throws HostLookupTimedOut */
async function answered(question: Promise<string[]>): Promise<readonly string[]> {
  try {
    return await question;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === CANCELLED || code === TIMEOUT) throw new HostLookupTimedOut();
    // There is no such name, or no name server that says so: in either case nobody can connect to it now.
    return [];
  }
}
