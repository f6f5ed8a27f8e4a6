import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';

/**
 * Where a request keeps what is known of its model at its provider (docs/interface/capabilities.md), for dialects in which models differ in
 * more than a translation can say in fields of a chat. JSON has no symbols, so that neither a provider gets it nor a client can say it.
 */
export const KNOWN_MODEL: unique symbol = Symbol('what is known of the model');

/** A request that may say what is known of its model. */
export interface WithKnownModel {
  readonly [KNOWN_MODEL]?: ModelCapabilities;
}

/** What is known of the model of a request; nothing where the request does not say. */
export function knownModelOf(request: WithKnownModel): ModelCapabilities {
  return request[KNOWN_MODEL] ?? {};
}
