/** The operations that Gatehouse has of its own, over and above the public contract. */
export const OWN_OPERATIONS: ReadonlySet<string> = new Set([
  'createConnectClient',
  'deleteConnectClient',
  'getConnectClient',
  'getEffectiveGuardrails',
  'listAuditEvents',
  'listConnectClients',
  'rotateConnectClientSecret',
  'rotateKey',
]);
