import type { ProviderConnection } from './provider-connection.js';

/** Where a connection is given. */
export const CONNECTION_SOURCES = ['builtin', 'database', 'environment'] as const;

export type ConnectionSource = (typeof CONNECTION_SOURCES)[number];

/** A connection as an operator is shown it. */
export interface ShownConnection extends Omit<ProviderConnection, 'apiKey'> {
  /** Masked; null for none. */
  readonly apiKey: string | null;
  /** The preset that it was made by; null for none. */
  readonly preset: string | null;
  /** Where it was given. */
  readonly sources: readonly ConnectionSource[];
  /** Whether it can be used: not if its credential cannot be decrypted. */
  readonly isUsable: boolean;
}
