/** The newest revision, whose requests stand for themselves. */
export const MODERN_REVISION = '2026-07-28';

/** The newest of the revisions with a handshake. */
export const LEGACY_REVISION = '2025-11-25';

/** The revisions with a handshake that differ from it in nothing that is handed on, newest first. */
export const LEGACY_REVISIONS: readonly string[] = [LEGACY_REVISION, '2025-06-18', '2025-03-26'];

/** The revisions that a server was found to have, newest first. */
export function revisionsIn(found: {
  readonly protocolVersion: string | null;
  readonly handshakeRevision: string | null;
}): string[] {
  const { protocolVersion, handshakeRevision } = found;
  const besides = protocolVersion === MODERN_REVISION ? handshakeRevision : null;
  return [protocolVersion, besides].filter((revision) => revision !== null);
}

/** The fields of `_meta` of requests and results of the newest revision. */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** The methods whose header `Mcp-Name` repeats a parameter, and which. */
export const NAMED_METHODS: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};
