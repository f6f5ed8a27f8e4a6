import type { INestApplicationContext } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { defaultGuardrailIdOf } from '../../database/identifiers.js';
import { COMMAND_LINE } from '../../modules/audit/audit-trail.js';
import { AssignmentsService } from '../../modules/guardrails/assignments.service.js';
import type { CreateGuardrailRequest } from '../../modules/guardrails/dto/create-guardrail-request.dto.js';
import type { UpdateGuardrailRequest } from '../../modules/guardrails/dto/update-guardrail-request.dto.js';
import { GuardrailsService } from '../../modules/guardrails/guardrails.service.js';
import { KeysService } from '../../modules/keys/keys.service.js';

/** A key whose effective guardrails come from its workspace, its owner and itself. */
export interface GuardedKey {
  api_key: string;
  hash: string;
  user_id: string;
  workspace_id: string;
  /** The default guardrail of the workspace. */
  workspace_guardrail_id: string;
  member_guardrail_id: string;
  key_guardrail_id: string;
}

const OF_WORKSPACE: UpdateGuardrailRequest = {
  content_filter_builtins: [{ slug: 'email', action: 'redact' }],
  enable_free_model_training: false,
};

const OF_MEMBER: CreateGuardrailRequest = {
  name: 'Operators',
  limit_usd: 200,
  reset_interval: 'monthly',
  allowed_providers: ['openai', 'anthropic', 'google-vertex'],
};

const OF_KEY: CreateGuardrailRequest = {
  name: 'Nightly reports',
  limit_usd: 5,
  reset_interval: 'daily',
  allowed_providers: ['openai', 'anthropic'],
  ignored_models: ['openai/gpt-latest'],
  allowed_data_regions: ['global', 'europe'],
  content_filter_builtins: [{ slug: 'email', action: 'block' }],
};

/** Makes a key of a member in a workspace, and guardrails for all three. */
export async function makeGuardedKey(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
  userId: string,
  workspaceId: string,
): Promise<GuardedKey> {
  const guardrails = context.get(GuardrailsService);
  const assignments = context.get(AssignmentsService);
  const { organizationId } = caller;
  const key = await context.get(KeysService).issue(COMMAND_LINE, {
    kind: 'api_key',
    organizationId,
    userId,
    workspaceId,
    name: 'Nightly reports',
  });
  const workspaceGuardrailId = defaultGuardrailIdOf(workspaceId);
  await guardrails.update(caller, { id: workspaceGuardrailId, ...OF_WORKSPACE });
  const ofMember = await guardrails.create(caller, { ...OF_MEMBER, workspace_id: workspaceId });
  const ofKey = await guardrails.create(caller, { ...OF_KEY, workspace_id: workspaceId });
  await assignments.assignMembers(caller, { id: ofMember.data.id, member_user_ids: [userId] });
  await assignments.assignKeys(caller, { id: ofKey.data.id, key_hashes: [key.hash] });
  return {
    api_key: key.plaintext,
    hash: key.hash,
    user_id: userId,
    workspace_id: workspaceId,
    workspace_guardrail_id: workspaceGuardrailId,
    member_guardrail_id: ofMember.data.id,
    key_guardrail_id: ofKey.data.id,
  };
}
