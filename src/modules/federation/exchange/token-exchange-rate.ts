import { Injectable } from '@nestjs/common';
import { AddressAttempts } from '../../../concurrency/address-attempts.js';
import { RedisConnection } from '../../../concurrency/redis-connection.js';
import { Environment } from '../../../config/environment.js';
import { TooManyTokenExchanges } from '../federation.errors.js';

/** Counts the exchanges of each client address, at most `TOKEN_EXCHANGES_PER_MINUTE`. */
@Injectable()
export class TokenExchangeRate {
  private readonly attempts: AddressAttempts;

  constructor({ tokenExchangesPerMinute }: Environment, redis: RedisConnection) {
    this.attempts = new AddressAttempts('token-exchange', tokenExchangesPerMinute, redis);
  }

  /** Counts one exchange. @param address null if the client has gone @throws TooManyTokenExchanges beyond the limit */
  async count(address: string | null): Promise<void> {
    const wait = await this.attempts.count(address);
    if (wait !== null) throw new TooManyTokenExchanges(wait);
  }
}
