/** Where the gateway says who it is to authorization servers (docs/interface/mcp-servers.md#the-gateway-as-a-client), below the interface. */
export const CLIENT_METADATA_PATH = '/mcp-client-metadata';

/** Where people come back to from authorization servers, below the address of the deployment. */
const CALLBACK_PATH = '/console/mcp-connections/callback';

/** The address that people come back to. @param publicUrl where they reach the deployment */
export function callbackOf(publicUrl: string): string {
  return `${publicUrl}${CALLBACK_PATH}`;
}
