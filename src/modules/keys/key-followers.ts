import { Injectable } from '@nestjs/common';
import type { StatementRunner } from '../../database/statements.js';

/** A key that gets another secret, and with it another hash. */
export interface RotatedKey {
  readonly organizationId: string;
  /** SHA-256 in lowercase hex. */
  readonly before: string;
  readonly after: string;
}

/** What a module knows keys by their hash in, and not by their row. */
export interface KeyFollower {
  /** Goes over to the new hash. @param on the transaction that rotates the key */
  follow(on: StatementRunner, key: RotatedKey): Promise<void>;
}

/** The modules above that know keys by their hash. They make themselves known when they start. */
@Injectable()
export class KeyFollowers {
  private readonly followers: KeyFollower[] = [];

  register(follower: KeyFollower): void {
    this.followers.push(follower);
  }

  /** Has every module go over to the new hash. */
  async follow(on: StatementRunner, key: RotatedKey): Promise<void> {
    for (const follower of this.followers) await follower.follow(on, key);
  }
}
