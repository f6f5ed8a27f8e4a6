import type { Caller, Outcome } from '../caller.js';
import type { Scene } from '../scene.js';

/** What an attack has at hand. */
export interface Attacker {
  readonly scene: Scene;
  /** Calls as the organization that attacks, with its management key unless another one is given. */
  readonly caller: Caller;
  /** Calls what is not an operation, without a credential. */
  readonly root: Caller;
  /** A name that no other call has given. */
  unusedName(): string;
}

/** A way in which one organization could keep others waiting. */
export interface Attack {
  /** For the line of figures. */
  readonly name: string;
  /** Makes what the attack needs to be there. */
  prepare?(attacker: Attacker): Promise<void>;
  /** One request of the attack; 64 callers send one after the other. */
  send(attacker: Attacker): Promise<Outcome>;
}
