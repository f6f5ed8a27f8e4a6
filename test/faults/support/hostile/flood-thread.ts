import { setTimeout as delay } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { Caller } from '../caller.js';
import type { FloodOrders, FloodOutcome } from './flood-orders.js';
import { startHostileProvider } from './hostile-provider.js';

// The malicious provider and who asks for its answers, in a thread of their own: to make and to read answers of 20 MB takes longer
// than the other organization waits for the gateway. Says the address of the provider; then answers each message with what came of the
// flood that it orders, and ends with one that orders none.
const port = parentPort!;
const provider = await startHostileProvider();

port.on('message', (orders: FloodOrders | null) => {
  if (orders === null) void provider.stop().then(() => port.close());
  else void flood(orders).then((outcomes) => port.postMessage(outcomes));
});
port.postMessage(provider.baseUrl);

async function flood({ origin, key, path, body, count, leftAfterMs }: FloodOrders): Promise<FloodOutcome[]> {
  const caller = new Caller([`${origin}/api/v1`], key, count);
  const text = JSON.stringify(body);
  const asked = Array.from({ length: count }, () => caller.send('POST', path, text));
  if (leftAfterMs !== undefined) {
    await delay(leftAfterMs);
    caller.close();
  }
  const outcomes = await Promise.all(asked);
  caller.close();
  return outcomes.map(({ status, fault }) => ({ status, ...(fault !== undefined && { fault }) }));
}
