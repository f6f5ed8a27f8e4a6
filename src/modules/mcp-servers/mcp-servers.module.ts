import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/audit.module.js';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AuthorizationServers } from './authorization/authorization-servers.service.js';
import { ClientMetadataController } from './authorization/client-metadata.controller.js';
import { McpCredentials } from './authorization/mcp-credentials.service.js';
import { McpIssuerTransport } from './authorization/mcp-issuer-transport.js';
import { EncryptedMcpTokens } from './connections/encrypted-tokens.js';
import { McpConnectionsController } from './connections/mcp-connections.controller.js';
import { McpConnectionsRepository } from './connections/mcp-connections.repository.js';
import { McpConnectionsService } from './connections/mcp-connections.service.js';
import { MemberConnectionsHook } from './connections/member-connections.hook.js';
import { MemberTokens } from './connections/member-tokens.service.js';
import { McpConnectionEntity } from './entities/mcp-connection.entity.js';
import { McpServerEntity } from './entities/mcp-server.entity.js';
import { McpToolEntity } from './entities/mcp-tool.entity.js';
import { KnownTools } from './known-tools.service.js';
import { EncryptedMcpSecrets } from './mcp-server-secrets.js';
import { McpServersInForce } from './mcp-servers-in-force.service.js';
import { McpServersConfiguration } from './mcp-servers.configuration.js';
import { McpServersController } from './mcp-servers.controller.js';
import { MCP_SERVERS_CONSTRAINT_ERRORS } from './mcp-servers.errors.js';
import { McpServersRepository } from './mcp-servers.repository.js';
import { McpServersService } from './mcp-servers.service.js';
import { McpToolsRepository } from './tools/mcp-tools.repository.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { SeenTools } from './tools/seen-tools.service.js';
import { McpUpstream } from './upstream/mcp-upstream.service.js';

/** Servers of tools of organizations (docs/interface/mcp-servers.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([McpConnectionEntity, McpServerEntity, McpToolEntity]),
    AuditModule,
    ConfigurationModule,
    EncryptionModule,
    ObservabilityModule,
    OrganizationsModule,
  ],
  controllers: [ClientMetadataController, McpConnectionsController, McpServersController],
  providers: [
    AuthorizationServers,
    EncryptedMcpSecrets,
    EncryptedMcpTokens,
    KnownTools,
    McpConnectionsRepository,
    McpConnectionsService,
    McpCredentials,
    McpIssuerTransport,
    McpServersConfiguration,
    McpServersInForce,
    McpServersRepository,
    McpServersService,
    McpToolsRepository,
    McpToolsService,
    McpUpstream,
    MemberConnectionsHook,
    MemberTokens,
    SeenTools,
  ],
  exports: [KnownTools, McpServersInForce, McpUpstream, SeenTools],
})
export class McpServersModule {
  constructor(errors: ConstraintErrors) {
    errors.add(MCP_SERVERS_CONSTRAINT_ERRORS);
  }
}
