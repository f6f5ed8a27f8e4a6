/** What bounds how long a client that sends slowly, or not at all, can hold on to a connection: options of a server. */
export const SLOW_CLIENT_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the idle time of common balancers (60 s), so that it is never us who close a connection in use.
  keepAliveTimeout: 65_000,
  // Connections are looked through for those whose time is over. Node does so every 30 s, and closes them that much later.
  connectionsCheckingInterval: 1_000,
} as const;
