/** The form of names of servers: without underscores, so that `server__tool` says where the name of the tool begins. */
export const MCP_SERVER_NAME = '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$';

/** The form of names of tools (revision 2026-07-28). */
export const MCP_TOOL_NAME = '^[A-Za-z0-9_.-]{1,128}$';

/** How a server is shown who asks it (docs/interface/mcp-servers.md#oauth). */
export const MCP_AUTHENTICATIONS = ['none', 'header', 'bearer', 'oauth_client_credentials', 'oauth_member'] as const;

export type McpAuthentication = (typeof MCP_AUTHENTICATIONS)[number];

/** How long a server may take to answer a request, in milliseconds. */
export const MCP_TIMEOUTS = { default: 60_000, minimum: 500, maximum: 600_000 } as const;

/** The highest price of a call, in US dollars. */
export const HIGHEST_CALL_PRICE = 1_000_000;

/** What a tool is to those who may call it: approved as it is, not approved yet, changed since, or offered no more (docs/interface/mcp-servers.md#pins). */
export const MCP_TOOL_STATES = ['approved', 'new', 'changed', 'gone'] as const;

export type McpToolState = (typeof MCP_TOOL_STATES)[number];
