import type { McpServerEntity } from '../entities/mcp-server.entity.js';

/** A server that can be asked. */
export interface ReadyMcpServer extends Pick<
  McpServerEntity,
  | 'id'
  | 'organizationId'
  | 'name'
  | 'url'
  | 'authentication'
  | 'header'
  | 'clientId'
  | 'scope'
  | 'authorizationServer'
  | 'trusted'
  | 'follow'
  | 'pricePerCall'
  | 'toolPrices'
  | 'timeoutMs'
  | 'handshakeRevision'
  | 'updatedAt'
> {
  /** Null for none; undefined for one that cannot be decrypted: the server fails then. */
  readonly secret: string | null | undefined;
  /** Differs whenever it was changed. */
  readonly version: string;
}

/** The price of a call of a tool in US dollars. */
export function priceOfCall(
  { pricePerCall, toolPrices }: Pick<ReadyMcpServer, 'pricePerCall' | 'toolPrices'>,
  tool: string,
): number {
  return (Object.hasOwn(toolPrices, tool) ? toolPrices[tool] : pricePerCall) ?? 0;
}
