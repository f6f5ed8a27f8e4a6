/** What a key may use. */
export interface ModelsOfKey {
  readonly hash: string;
  readonly name: string;
  /** The ids of the models. */
  readonly models: ReadonlySet<string>;
}

/** Says what keys may use, to see what a plan takes from them. The module of the guardrails provides it. */
export abstract class ModelsOfKeys {
  /** What the oldest keys of an organization may use, as guardrails are now in the transaction of the caller. @param most how many keys */
  abstract of(organizationId: string, most: number): Promise<readonly ModelsOfKey[]>;
}
