import type { Demonstration } from '../../../../src/cli/demo/demonstration.js';
import type { Caller, Outcome } from '../caller.js';

/** What an attack has at hand. */
export interface Attacker {
  /** Calls as the organization that attacks, with its management key unless another one is given. */
  readonly caller: Caller;
  /** Calls what is not an operation, without a credential. */
  readonly root: Caller;
  /** The organization that attacks. */
  readonly tenant: Demonstration;
  /** A name that no other call has given. */
  unusedName(): string;
}

/** A way in which one organization could keep others waiting. */
export interface Attack {
  /** For the line of figures. */
  readonly name: string;
  /** Makes what the attack needs to be there. @param databaseUrl for what takes years over the interface */
  prepare?(attacker: Attacker, databaseUrl: string): Promise<void>;
  /** One request of the attack; 64 callers send one after the other. */
  send(attacker: Attacker): Promise<Outcome>;
}
