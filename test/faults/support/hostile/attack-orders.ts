import type { Demonstration } from '../../../../src/cli/demo/demonstration.js';
import { Caller } from '../caller.js';
import type { Attacker } from './attack.js';

/** What a thread needs to know to attack. */
export interface AttackOrders {
  /** The name of the attack. */
  readonly attack: string;
  /** Scheme, host and port of each replica of the service. */
  readonly origins: readonly string[];
  readonly tenant: Demonstration;
  readonly connections: number;
}

/** Makes an attacker with connections of its own. */
export function attackerOf({ attack, origins, tenant, connections }: AttackOrders): Attacker {
  let names = 0;
  return {
    caller: new Caller(
      origins.map((origin) => `${origin}/api/v1`),
      tenant.management_key,
      connections,
    ),
    root: new Caller(origins, undefined, connections),
    tenant,
    unusedName: () => `${attack.replaceAll(/[^a-z]+/g, '-')}-${process.hrtime.bigint()}-${(names += 1)}`,
  };
}
