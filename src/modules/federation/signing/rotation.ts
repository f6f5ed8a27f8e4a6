// When keys that sign access tokens are made, published and forgotten (docs/interface/token-exchange.md#signing-keys), in seconds.

/** How long an access token is valid at most. */
export const TOKEN_LIFE_SECONDS = 900;

/** How long a key signs: thirty days. */
export const KEY_LIFE_SECONDS = 2_592_000;

/** How long before it signs a key is published, so that everyone who keeps the published keys for a while has it in time. */
export const PUBLISHED_AHEAD_SECONDS = 3_600;

/** How long a key is kept after the last token that it has signed: longer than that is valid. */
export const KEPT_SECONDS = 1_200;
