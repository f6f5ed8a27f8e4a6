import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FloodOrders, FloodOutcome } from './flood-orders.js';

/** Has a thread send floods of requests, and answer those that reach its malicious provider. */
export class Flooder {
  private constructor(
    private readonly thread: Worker,
    readonly providerUrl: string,
  ) {}

  static async start(): Promise<Flooder> {
    const thread = new Worker(new URL('./flood-thread.js', import.meta.url));
    const [providerUrl] = (await once(thread, 'message')) as [string];
    return new Flooder(thread, providerUrl);
  }

  /** @returns what came of each request */
  async flood(orders: FloodOrders): Promise<FloodOutcome[]> {
    this.thread.postMessage(orders);
    const [outcomes] = (await once(this.thread, 'message')) as [FloodOutcome[]];
    return outcomes;
  }

  async stop(): Promise<void> {
    const ended = once(this.thread, 'exit');
    this.thread.postMessage(null);
    await ended;
  }
}
