import { Module } from '@nestjs/common';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { GenerationsModule } from '../generations/generations.module.js';
import { GuardrailsModule } from '../guardrails/guardrails.module.js';
import { InferenceModule } from '../inference/inference.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { McpServersModule } from '../mcp-servers/mcp-servers.module.js';
import { ObservabilityModule } from '../observability/observability.module.js';
import { SpendModule } from '../spend/spend.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { PermittedToolsController } from './permitted-tools/permitted-tools.controller.js';
import { PermittedTools } from './permitted-tools/permitted-tools.service.js';
import { McpEndpoint } from './mcp-endpoint.service.js';
import { McpController } from './mcp.controller.js';
import { McpRequests } from './mcp-requests.service.js';
import { McpSessions } from './messages/mcp-sessions.js';
import { PairedSessions } from './sessions/paired-sessions.service.js';
import { ServerMessages } from './sessions/server-messages.service.js';
import { SessionMessages } from './sessions/session-messages.service.js';
import { SessionStreams } from './sessions/session-streams.service.js';
import { ArgumentRules } from './tools/argument-rules.service.js';
import { AvailableTools } from './tools/available-tools.service.js';
import { CallInspection } from './tools/call-inspection.service.js';
import { CallJudging } from './tools/call-judging.service.js';
import { ServerCalls } from './tools/server-calls.service.js';
import { ServerLists } from './tools/server-lists.service.js';
import { ServerMethods } from './tools/server-methods.service.js';
import { CallRecords } from './tools/call-records.service.js';
import { ToolAdmission } from './tools/tool-admission.service.js';
import { ToolCalls } from './tools/tool-calls.service.js';

/** The gateway for tools: an endpoint for clients of MCP (docs/interface/mcp.md). */
@Module({
  imports: [
    EncryptionModule,
    GenerationsModule,
    GuardrailsModule,
    InferenceModule,
    LimitsModule,
    McpServersModule,
    ObservabilityModule,
    SpendModule,
    WorkspacesModule,
  ],
  controllers: [McpController, PermittedToolsController],
  providers: [
    ArgumentRules,
    CallInspection,
    CallJudging,
    ServerCalls,
    ServerLists,
    ServerMethods,
    AvailableTools,
    CallRecords,
    McpEndpoint,
    McpRequests,
    McpSessions,
    PairedSessions,
    PermittedTools,
    ServerMessages,
    SessionMessages,
    SessionStreams,
    ToolAdmission,
    ToolCalls,
  ],
})
export class McpModule {}
