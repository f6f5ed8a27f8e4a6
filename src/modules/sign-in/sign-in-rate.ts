import { Injectable } from '@nestjs/common';
import { AddressAttempts } from '../../concurrency/address-attempts.js';
import { RedisConnection } from '../../concurrency/redis-connection.js';
import { Environment } from '../../config/environment.js';

/** Counts the sign-ins that each client address begins, at most `SIGN_INS_PER_MINUTE`, and its uses of sign-in links (docs/limits.md#sign-ins). */
@Injectable()
export class SignInRate {
  private readonly attempts: AddressAttempts;

  constructor({ signInsPerMinute }: Environment, redis: RedisConnection) {
    this.attempts = new AddressAttempts('sign-in', signInsPerMinute, redis);
  }

  /** Counts one sign-in. @param address null if the client has gone @returns null where it may begin, else the whole seconds to wait */
  async count(address: string | null): Promise<number | null> {
    return this.attempts.count(address);
  }
}
