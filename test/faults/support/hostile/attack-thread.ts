import { parentPort, workerData } from 'node:worker_threads';
import { Load } from '../load.js';
import type { Outcome } from '../caller.js';
import { attackerOf, type AttackOrders } from './attack-orders.js';
import { ATTACKS } from './attacks.js';

// Attacks in a thread of its own, so that what the attacker computes is no waiting time of the one who is measured. Ends with
// the first message, and answers it with the outcomes.
const orders = workerData as AttackOrders;
const attack = ATTACKS.find(({ name }) => name === orders.attack)!;
const attacker = attackerOf(orders);
const outcomes: Pick<Outcome, 'status' | 'fault'>[] = [];
const load = new Load(orders.connections, async () => {
  const { status, fault } = await attack.send(attacker);
  outcomes.push({ status, ...(fault !== undefined && { fault }) });
});

parentPort!.once('message', () => {
  void load.stop().then(() => {
    parentPort!.postMessage(outcomes);
    attacker.caller.close();
    attacker.root.close();
  });
});
