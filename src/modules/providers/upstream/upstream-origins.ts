import { LRUCache } from 'lru-cache';
import type { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import type { EgressProxies, EgressProxy } from '../../../http/outgoing/egress-proxies.js';
import { OutgoingPool } from '../../../http/outgoing/outgoing-client.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import type { CalledUpstream } from './called-upstream.js';

/** How many origins keep connections; beyond that the one that was used least recently closes its own when they are free. */
const ORIGINS = 256;

/** How many calls a service may have open at one origin of one provider, each with a connection of its own. */
export const CALLS_PER_ORIGIN = 2_048;

/** Bytes of the head of an answer. */
const HEAD = 32 * 1024;

/**
 * How long a connection stays open without a call, in milliseconds, unless the provider says how long it keeps its own: servers of models
 * at an address of http close theirs after five seconds, and what stands in front of public providers after a minute or more. There a new
 * connection would cost each call of a quiet hour three round trips.
 */
const IDLE_MS = { plain: 4_000, encrypted: 30_000 };

/** The connections to one origin of one provider. */
interface UpstreamOrigin {
  readonly pool: OutgoingPool;
  open: number;
  /** The number of open calls of each organization that has any. */
  readonly openOf: Map<string, number>;
}

/** A place among the open calls of an origin. */
export interface UpstreamPlace {
  readonly pool: OutgoingPool;
  /** Gives the place back; must be called exactly once. */
  leave(): void;
}

/**
 * The connections to every origin that is called. Each provider has its own, so that one that hangs takes no connection of
 * another, even behind the same host.
 */
export class UpstreamOrigins {
  private readonly origins = new LRUCache<string, UpstreamOrigin>({
    max: ORIGINS,
    dispose: ({ pool }) => void pool.close(),
  });

  /** How many open calls may be those of one organization, so that it leaves as many to others (docs/limits.md#inference). */
  private readonly callsPerOrganization: number;

  /** @param callsPerOrigin how many calls may be open at one origin of one provider */
  constructor(
    private readonly proxies: EgressProxies,
    private readonly callsPerOrigin: number = CALLS_PER_ORIGIN,
  ) {
    this.callsPerOrganization = Math.floor(callsPerOrigin / 2);
  }

  /** The proxy through which an origin is called. @returns undefined for none, at once where nothing has to be looked up */
  proxyFor(url: URL): EgressProxy | undefined | Promise<EgressProxy | undefined> {
    return this.proxies.proxyFor(url);
  }

  /**
   * Takes a place among the open calls of an origin.
   *
   * @param proxy that of {@link proxyFor}
   * @throws ProviderError if the organization has its share of them, or all are taken, and for a private address that must not be called
   */
  take(upstream: CalledUpstream, origin: string, organizationId: string, proxy?: EgressProxy): UpstreamPlace {
    const found = this.originOf(upstream, origin, proxy);
    const ofOrganization = found.openOf.get(organizationId) ?? 0;
    if (ofOrganization >= this.callsPerOrganization) {
      throw new ProviderError('share_used', 'The organization has as many requests open at the provider as it may.');
    }
    if (found.open >= this.callsPerOrigin) {
      throw new ProviderError('busy', 'All connections to the provider are in use.');
    }
    found.open += 1;
    found.openOf.set(organizationId, ofOrganization + 1);
    return {
      pool: found.pool,
      leave: () => {
        found.open -= 1;
        const left = found.openOf.get(organizationId)! - 1;
        if (left > 0) found.openOf.set(organizationId, left);
        else found.openOf.delete(organizationId);
      },
    };
  }

  private originOf(
    { provider, timeouts, allowedAddresses }: CalledUpstream,
    origin: string,
    proxy: EgressProxy | undefined,
  ): UpstreamOrigin {
    const name = `${provider} ${timeouts.connect} ${origin} ${allowedAddresses?.name ?? ''} ${proxy?.origin ?? ''}`;
    let found = this.origins.get(name);
    if (found === undefined) {
      const pool = poolOf(origin, this.callsPerOrigin, timeouts.connect, allowedAddresses, proxy);
      found = { pool, open: 0, openOf: new Map() };
      this.origins.set(name, found);
    }
    return found;
  }

  /** Ends every connection, and the calls that still use one. */
  async close(): Promise<void> {
    await Promise.all([...this.origins.values()].map(({ pool }) => pool.destroy()));
  }
}

function addressNotAllowed(): ProviderError {
  return new ProviderError('unreachable', 'The address of the provider leads into a private network.');
}

function poolOf(
  origin: string,
  connections: number,
  connectTimeoutMs: number,
  allowed: AllowedAddresses | undefined,
  proxy: EgressProxy | undefined,
): OutgoingPool {
  const settings = {
    connections,
    connectTimeoutMs,
    keepAliveMs: origin.startsWith('https:') ? IDLE_MS.encrypted : IDLE_MS.plain,
    maximumHead: HEAD,
    addresses: allowed && { allowed, refusal: addressNotAllowed },
  };
  return new OutgoingPool(origin, settings, proxy);
}
