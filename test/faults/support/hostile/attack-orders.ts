import type { Demonstration } from '../../../../src/cli/demo/demonstration.js';
import { Caller } from '../caller.js';
import type { Attacker } from './attack.js';

/** What a thread needs to know to attack. */
export interface AttackOrders {
  /** The name of the attack. */
  readonly attack: string;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  readonly tenant: Demonstration;
  readonly connections: number;
}

/** Makes an attacker with connections of its own. */
export function attackerOf({ attack, origin, tenant, connections }: AttackOrders): Attacker {
  let names = 0;
  return {
    caller: new Caller(`${origin}/api/v1`, tenant.management_key, connections),
    root: new Caller(origin, undefined, connections),
    tenant,
    unusedName: () => `${attack.replaceAll(/[^a-z]+/g, '-')}-${process.hrtime.bigint()}-${(names += 1)}`,
  };
}
