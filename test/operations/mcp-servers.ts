import { answerToMember, connectableServer, connectedServer } from '../support/resources/mcp-connections.js';
import { newMcpServer, newServerName, seenTool } from '../support/resources/mcp-servers.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import { MANAGEMENT_KEYS, type OperationRows, otherId, type RequestParts, withoutIds } from './operation-row.js';

const SERVER = {
  name: 'docs',
  url: 'https://mcp.example.com/mcp',
  authentication: 'bearer',
  secret: 'secret-0123456789',
};

const TOOLS = [{ name: 'read', digest: '0'.repeat(64) }];

/** The operations of MCP servers. */
export const MCP_SERVERS: OperationRows = {
  createMcpServer: {
    method: 'POST',
    path: '/mcp-servers',
    callers: MANAGEMENT_KEYS,
    permission: 'mcp_servers_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 409, 429],
    auditActions: ['mcp_server.create'],
    insertsInto: 'mcp_servers',
    isBeyondContract: true,
    request: () => ({ json: { ...SERVER, name: newServerName() } }),
    otherOrganization: (_, theirs) => ({
      'by workspace': otherId(
        400,
        (id) => ({ json: { ...SERVER, workspace_ids: [id] } }),
        theirs.workspaceId,
        UNKNOWN_UUID,
      ),
    }),
  },
  deleteMcpServer: {
    method: 'DELETE',
    path: '/mcp-servers/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'mcp_servers_write',
    decidesIdentity: false,
    success: 200,
    errors: [404],
    auditActions: ['mcp_server.delete'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newMcpServer(organization.app, organization) } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.mcpServerId, UNKNOWN_UUID),
    }),
  },
  getMcpServer: {
    method: 'GET',
    path: '/mcp-servers/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'mcp_servers_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: ({ mcpServerId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return {
        'by id': otherId(404, byId, theirs.mcpServerId, UNKNOWN_UUID),
        'by id in capitals': otherId(404, byId, theirs.mcpServerId.toUpperCase(), UNKNOWN_UUID),
        'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
  listMcpServers: {
    method: 'GET',
    path: '/mcp-servers',
    callers: MANAGEMENT_KEYS,
    permission: 'mcp_servers_read',
    success: 200,
    errors: [400],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  testMcpServer: {
    method: 'POST',
    path: '/mcp-servers/{id}/test',
    callers: MANAGEMENT_KEYS,
    permission: 'mcp_servers_write',
    decidesIdentity: false,
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: ({ mcpServerId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.mcpServerId, UNKNOWN_UUID),
    }),
  },
  updateMcpServer: {
    method: 'PATCH',
    path: '/mcp-servers/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'mcp_servers_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404, 429],
    auditActions: ['mcp_server.update'],
    isBeyondContract: true,
    request: ({ mcpServerId: id }) => ({ path: { id }, json: { price_per_call: 0.25 } }),
    otherOrganization: ({ mcpServerId: own }, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id }, json: { enabled: false } }), theirs.mcpServerId, UNKNOWN_UUID),
      'by workspace': otherId(
        400,
        (id) => ({ path: { id: own }, json: { workspace_ids: [id] } }),
        theirs.workspaceId,
        UNKNOWN_UUID,
      ),
    }),
  },
  listMcpTools: {
    method: 'GET',
    path: '/mcp-servers/{id}/tools',
    callers: MANAGEMENT_KEYS,
    permission: 'mcp_servers_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: ({ mcpServerId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.mcpServerId, UNKNOWN_UUID),
    }),
  },
  approveMcpTools: {
    method: 'POST',
    path: '/mcp-servers/{id}/tools/approve',
    callers: MANAGEMENT_KEYS,
    permission: 'mcp_servers_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404, 409],
    auditActions: ['mcp_server.approve_tools'],
    isBeyondContract: true,
    request: async (organization) => ({
      path: { id: organization.mcpServerId },
      json: { tools: [await seenTool(organization.app, organization, organization.mcpServerId)] },
    }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id }, json: { tools: TOOLS } }), theirs.mcpServerId, UNKNOWN_UUID),
    }),
  },
  revokeMcpTools: {
    method: 'POST',
    path: '/mcp-servers/{id}/tools/revoke',
    callers: MANAGEMENT_KEYS,
    permission: 'mcp_servers_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404, 409],
    auditActions: ['mcp_server.revoke_tools'],
    isBeyondContract: true,
    request: async (organization) => ({
      path: { id: organization.mcpServerId },
      json: { tools: [(await seenTool(organization.app, organization, organization.mcpServerId, true)).name] },
    }),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id }, json: { tools: ['read'] } }), theirs.mcpServerId, UNKNOWN_UUID),
    }),
  },
  listMcpConnections: {
    method: 'GET',
    path: '/mcp-connections',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_read',
    success: 200,
    errors: [],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  authorizeMcpConnection: {
    method: 'POST',
    path: '/mcp-connections/authorize',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_write',
    decidesIdentity: false,
    success: 200,
    errors: [404, 502],
    isBeyondContract: true,
    request: async (organization) => ({ json: { server: await connectableServer(organization) } }),
    otherOrganization: (_, theirs) => ({
      'by name': otherId(404, (server) => ({ json: { server } }), theirs.connectedServer, 'unknown'),
    }),
  },
  createMcpConnection: {
    method: 'POST',
    path: '/mcp-connections',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_write',
    decidesIdentity: false,
    success: 201,
    errors: [404, 409, 502],
    auditActions: ['mcp_connection.create'],
    isBeyondContract: true,
    request: async (organization) => ({ json: { query: await answerToMember(organization) } }),
    otherOrganization: (_, theirs) => ({
      'by what another member has begun': otherId(
        409,
        (query) => ({ json: { query } }),
        theirs.answerToMember,
        'code=code&state=unknown',
      ),
    }),
  },
  deleteMcpConnection: {
    method: 'DELETE',
    path: '/mcp-connections/{server}',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_write',
    decidesIdentity: false,
    success: 200,
    errors: [404],
    auditActions: ['mcp_connection.delete'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { server: await connectedServer(organization) } }),
    otherOrganization: (_, theirs) => ({
      'by name': otherId(404, (server) => ({ path: { server } }), theirs.connectedServer, 'unknown'),
    }),
  },
};
