import { createHash, randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { RedisConnection } from './redis-connection.js';

/** How often replicas exchange messages, in milliseconds. */
const EXCHANGE_MS = 250;

/** How many messages of a channel Redis keeps, about, and how long after the last one, in seconds. */
const KEPT_MESSAGES = 1_000;
const KEPT_SECONDS = 900;

/** How many messages of a channel are read at a time; the others are read with the next exchange. */
const READ_AT_ONCE = 500;

/** The messages of replicas about one subject. */
export interface ReplicaChannel {
  readonly name: string;
  /** Takes the message to send, a JSON value of bounded size; undefined for none. */
  readonly take: () => unknown;
  /**
   * Receives a message of another replica. It may be of another release, so its form must be checked.
   *
   * @param at when it was sent, in milliseconds since the epoch by this replica's clock
   */
  readonly receive: (message: unknown, at: number) => void;
}

/** A channel while it is in use. */
interface OpenChannel extends ReplicaChannel {
  /** The last message that was read; a replica that starts reads all that are kept. */
  lastId: string;
  /** The message that Redis has not accepted yet. */
  unsent: unknown;
}

type StreamAnswer = readonly (readonly [key: string, entries: readonly [id: string, fields: string[]][]])[] | null;

/**
 * Sends messages between replicas through streams of Redis (https://redis.io/docs/latest/develop/data-types/streams/). A timer sends
 * and receives, so no request waits for it. Without Redis each replica knows only what it has learned itself; while Redis is
 * unreachable, messages are kept and sent later.
 */
@Injectable()
export class ReplicaMessages implements OnApplicationShutdown {
  private readonly replicaId = randomUUID();
  private readonly prefix: string;
  private readonly channels: OpenChannel[] = [];
  private readonly timer: NodeJS.Timeout | undefined;
  private isExchanging = false;

  constructor(
    environment: Environment,
    private readonly redis: RedisConnection,
  ) {
    // Deployments that share a Redis server must not read each other's messages.
    const deployment = createHash('sha256')
      .update('gatehouse replicas')
      .update(environment.encryptionKeys[0] ?? '')
      .digest('hex');
    this.prefix = `gatehouse:replicas:${deployment.slice(0, 16)}`;
    if (redis.client !== undefined) this.timer = setInterval(() => void this.exchange(), EXCHANGE_MS).unref();
  }

  get isShared(): boolean {
    return this.redis.client !== undefined;
  }

  /** Uses a channel from now on, until the application ends. */
  open(channel: ReplicaChannel): void {
    this.channels.push({ ...channel, lastId: '0-0', unsent: undefined });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async exchange(): Promise<void> {
    const { client } = this.redis;
    // Messages wait for the next exchange.
    if (client?.status !== 'ready' || this.isExchanging) return;
    this.isExchanging = true;
    const pipeline = client.pipeline().time();
    const sent = this.channels.map((channel) => {
      channel.unsent ??= channel.take();
      const key = `${this.prefix}:${channel.name}`;
      const isSending = channel.unsent !== undefined;
      if (isSending) {
        const text = JSON.stringify([this.replicaId, channel.unsent]);
        pipeline.xadd(key, 'MAXLEN', '~', KEPT_MESSAGES, '*', 'message', text).expire(key, KEPT_SECONDS);
      }
      pipeline.xread('COUNT', READ_AT_ONCE, 'STREAMS', key, channel.lastId);
      return { channel, isSending };
    });
    const answers = (await pipeline.exec().catch(() => null)) ?? [];
    this.isExchanging = false;
    const [time, ...rest] = answers;
    if (time?.[0] !== null) return;
    const redisNow = millisecondsOf(time[1] as readonly [string, string]);
    for (const { channel, isSending } of sent) {
      if (isSending) {
        const [[error] = [undefined]] = rest.splice(0, 2);
        if (error === null) channel.unsent = undefined;
      }
      const [[error, streams] = [undefined, null]] = rest.splice(0, 1);
      if (error === null) this.receive(channel, streams as StreamAnswer, redisNow);
    }
  }

  private receive(channel: OpenChannel, streams: StreamAnswer, redisNow: number): void {
    for (const [id, [, text]] of streams?.[0]?.[1] ?? []) {
      channel.lastId = id;
      const [from, message] = parsed(text);
      if (from === this.replicaId) continue;
      // The clocks of replicas differ, so the age of a message is measured with the clock of Redis.
      const age = Math.max(redisNow - Number(id.split('-', 1)[0]), 0);
      channel.receive(message, Date.now() - age);
    }
  }
}

/** The answer of TIME: seconds, and microseconds within the last one. */
function millisecondsOf([seconds, microseconds]: readonly [string, string]): number {
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}

/** The sender and the message; undefined for a text that is not a message. */
function parsed(text = ''): readonly [from: unknown, message: unknown] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return [value[0], value[1]];
  } catch {
    // Another release may write another form.
  }
  return [undefined, undefined];
}
