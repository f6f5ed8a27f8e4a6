import { CANCELLED, TIMEOUT } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { FairQueue } from '../../../concurrency/fair-queue.js';
import { TooManyHostLookups } from '../observability.errors.js';
import { readFile } from 'node:fs/promises';

/** The share of a look-up's time that one name server has for one query, and how often it is queried. */
const QUERY_SHARE = 0.35;
const TRIES = 2;

/** The organization that asks for the addresses of a host. */
export interface HostLookup {
  readonly organizationId: string;
  /** Aborted when the request has ended. */
  readonly signal?: AbortSignal;
}

/** A name could not be looked up in time. */
export class HostLookupTimedOut extends Error {}

/**
 * Resolves hosts: with the hosts file, and with the name servers of DNS_SERVERS or of the system. Look-ups are shared fairly
 * among organizations, so that slow names of one do not delay another.
 */
@Injectable()
export class HostResolver {
  private readonly queue = new FairQueue({
    overload: TooManyHostLookups,
    concurrency: 64,
    // Fewer than the concurrent requests of an organization, so that look-ups do not take all of them.
    concurrencyPerOrganization: 4,
    waitingPerOrganization: 4,
    retryAfterSeconds: 2,
  });

  constructor(private readonly environment: Environment) {}

  /**
   * Every address that a connection to the host may use.
   *
   * @param host a name or an address, in lower case
   * @returns an empty list when the host does not resolve
   * @throws HostLookupTimedOut also when the signal is aborted
   * @throws TooManyHostLookups when too many look-ups of the organization wait already
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
    // One for each look-up, because cancelling ends all queries of a resolver.
    const resolver = new Resolver({ timeout: Math.floor(dnsTimeoutMs * QUERY_SHARE), tries: TRIES });
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
    // No such name, or no name server to say so: in either case no connection is possible now.
    return [];
  }
}

const HOSTS_FILE = '/etc/hosts';

/**
 * The addresses of a name in the hosts file of this machine (hosts(5)). The system's resolver prefers them to DNS, and DNS
 * queries do not show them.
 *
 * @param file its path; a missing file counts as empty
 */
async function addressesInHostsFile(host: string, file = HOSTS_FILE): Promise<readonly string[]> {
  const lines = (await contentOf(file)).split('\n');
  return lines.flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((name) => name.toLowerCase() === host) ? [address] : [];
  });
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
