import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import type { EffectiveGuardrailsQuery } from '../../guardrails/effective-policy/effective-guardrails.dto.js';
import { EffectiveGuardrailsService } from '../../guardrails/effective-policy/effective-guardrails.service.js';
import { mcpToolCheck, namesTool } from '../../guardrails/mcp/mcp-tools-policy.js';
import { KnownTools } from '../../mcp-servers/known-tools.service.js';
import { stateOf, usableDefinition } from '../../mcp-servers/tools/tool-state.js';
import { priceOfCall } from '../../mcp-servers/upstream/ready-mcp-server.js';
import { WorkspaceLookupService } from '../../workspaces/workspace-lookup.service.js';
import { joinedName } from '../tools/tool-names.js';
import { type ListPermittedMcpToolsResponse, TOOL_REFUSALS, type ToolRefusal } from './permitted-tools.dto.js';

/** Says which tools a key sees and may call, and why not the others (docs/interface/mcp.md#trying-a-key). */
@Injectable()
export class PermittedTools {
  constructor(
    private readonly guardrails: EffectiveGuardrailsService,
    private readonly tools: KnownTools,
    private readonly workspaces: WorkspaceLookupService,
  ) {}

  /**
   * Every tool of the organization, as it was last seen, with what the key may do; optionally with one guardrail more. No server is asked.
   *
   * @throws KeyNotFound
   * @throws GuardrailNotFound
   */
  async list(caller: ManagementPrincipal, input: EffectiveGuardrailsQuery): Promise<ListPermittedMcpToolsResponse> {
    const { organizationId } = caller;
    const { key, policy } = await this.guardrails.policyFor(caller, input);
    const workspaceId = key.workspaceId ?? (await this.workspaces.defaultWorkspaceId(organizationId));
    const check = mcpToolCheck(policy);
    const guardrailIds = [...new Set([...policy.allowedMcpTools.guardrailIds, ...policy.ignoredMcpTools.guardrailIds])];
    const known = await this.tools.all(organizationId);
    return {
      data: known.map(({ server, tool }) => {
        const { name } = tool;
        const full = `${server.name}/${name}`;
        const state = stateOf(tool);
        const isProvisioned =
          server.workspaceIds === null || (workspaceId !== undefined && server.workspaceIds.includes(workspaceId));
        const isUsable = usableDefinition(tool, server.follow) !== undefined;
        const found = new Set<ToolRefusal | undefined>([
          server.enabled ? undefined : 'server_disabled',
          isProvisioned ? undefined : 'not_in_workspace',
          check(full),
          isUsable ? undefined : state === 'changed' || state === 'gone' ? state : 'not_approved',
        ]);
        const reasons = TOOL_REFUSALS.filter((reason) => found.has(reason));
        const rules = policy.mcpArgumentRules.filter((rule) => namesTool(new Set([rule.tool]), full));
        return {
          server: server.name,
          tool: name,
          name: joinedName(server.name, name),
          permitted: reasons.length === 0,
          reasons,
          guardrail_ids: guardrailIds,
          state,
          argument_rules: rules.length,
          price_per_call: priceOfCall(server, name),
        };
      }),
    };
  }
}
