import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AttemptLimiter } from './attempt-limiter.js';
import type { RedisConnection } from './redis-connection.js';

const WINDOW_SECONDS = 60;

/** How many bits of an IPv6 address belong to the network of a customer. */
const IPV6_PREFIX = 64;

/** Counts what each client address does in a minute, of all replicas together with Redis. A network of IPv6 counts as one address. */
export class AddressAttempts {
  private readonly limiter: AttemptLimiter;

  /** @param name of the counts in Redis @param perMinute how often each address may */
  constructor(name: string, perMinute: number, redis: RedisConnection) {
    this.limiter = new AttemptLimiter({ name, attempts: perMinute, windowSeconds: WINDOW_SECONDS }, redis);
  }

  /**
   * Counts one attempt.
   *
   * @param address null if the client has gone
   * @returns null where it is permitted, else the whole seconds until the next one is
   */
  async count(address: string | null): Promise<number | null> {
    return this.limiter.count(networkOf(address ?? 'unknown'));
  }
}

function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${plain}/${IPV6_PREFIX}`).toString();
}
