import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { AttemptLimiter } from '../../../concurrency/attempt-limiter.js';
import { RedisConnection } from '../../../concurrency/redis-connection.js';
import { Environment } from '../../../config/environment.js';
import { TooManyTokenExchanges } from '../federation.errors.js';

const WINDOW_SECONDS = 60;

/** How many bits of an IPv6 address belong to the network of a customer. */
const IPV6_PREFIX = 64;

/** Counts the exchanges of each client address, at most `TOKEN_EXCHANGES_PER_MINUTE`. A network of IPv6 counts as one address. */
@Injectable()
export class TokenExchangeRate {
  private readonly limiter: AttemptLimiter;

  constructor({ tokenExchangesPerMinute: attempts }: Environment, redis: RedisConnection) {
    this.limiter = new AttemptLimiter({ name: 'token-exchange', attempts, windowSeconds: WINDOW_SECONDS }, redis);
  }

  /** Counts one exchange. @param address null if the client has gone @throws TooManyTokenExchanges beyond the limit */
  async count(address: string | null): Promise<void> {
    const wait = await this.limiter.count(networkOf(address ?? 'unknown'));
    if (wait !== null) throw new TooManyTokenExchanges(wait);
  }
}

function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${plain}/${IPV6_PREFIX}`).toString();
}
