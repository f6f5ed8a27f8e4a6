import { readEnvironment } from '../../config/environment.js';
import type { RedisConnection } from '../../concurrency/redis-connection.js';
import { type ReplicaChannel, ReplicaMessages } from '../../concurrency/replica-messages.js';

/** Messages between replicas that are exchanged by the test alone. */
export class HeldMessages extends ReplicaMessages {
  channel!: ReplicaChannel;

  constructor() {
    super(readEnvironment({}), { client: undefined } as RedisConnection);
  }

  override get isShared(): boolean {
    return true;
  }

  override open(channel: ReplicaChannel): void {
    this.channel = channel;
  }
}
