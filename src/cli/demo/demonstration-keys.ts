import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { COMMAND_LINE } from '../../modules/audit/audit-trail.js';
import { AssignmentsService } from '../../modules/guardrails/assignments/assignments.service.js';
import { GuardrailsService } from '../../modules/guardrails/guardrails.service.js';
import { KeysService } from '../../modules/keys/keys.service.js';
import { AuthorizationCodesService } from '../../modules/oauth/codes/authorization-codes.service.js';
import {
  CODE_CHALLENGE_METHODS,
  type CodeChallengeMethod,
  codeChallengeOf,
} from '../../modules/oauth/codes/code-challenge.js';
import { ConnectClientsService } from '../../modules/oauth/clients/connect-clients.service.js';
import { defaultGuardrailIdOf } from '../../persistence/identifiers.js';
import { Statements } from '../../persistence/statements.js';

/** Keys and a client, created with the services that the operations use. */
export interface DemonstrationKeys {
  /** A key whose limit is reset every month. */
  limited_key: { key: string; hash: string };
  disabled_key_hash: string;
  /** A key that has spent 4 of the 10 US dollars of its limit. */
  spending_key: { key: string; hash: string };
  partner_key: { key: string; hash: string; external_user: string };
  connect_client: { id: string; client_secret: string; callback_urls: string[] };
}

const CALLBACK_URLS = ['https://client.demonstration.example/callback', 'http://localhost:8080/callback'];

const SPENDING_LIMIT_USD = 10;

/** The partner's identifier of the user. */
const PARTNER_USER = 'customer-4711';

/** Spend in US dollars, today and on an earlier day (UTC). */
const SPENT = [
  { daysAgo: 0, amountUsd: '2.5', byokAmountUsd: '0.5' },
  { daysAgo: 40, amountUsd: '1.5', byokAmountUsd: '0' },
];

const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates a key with a limit, a disabled key, one with spend, one for a partner, and a Connect client. */
export async function createKeys(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
): Promise<DemonstrationKeys> {
  const keys = context.get(KeysService);
  const limits = { limit: 25, limit_reset: 'monthly', include_byok_in_limit: true } as const;
  const limited = await keys.create(caller, { name: 'Limited key', ...limits });
  const disabled = await keys.create(caller, { name: 'Disabled key' });
  await keys.update(caller, { hash: disabled.data.hash, disabled: true });
  const partner = await keys.create(caller, { name: 'Partner key', external: { user: PARTNER_USER } });
  const client = await context
    .get(ConnectClientsService)
    .create(caller, { name: 'Connected application', callback_urls: CALLBACK_URLS });
  return {
    limited_key: { key: limited.key, hash: limited.data.hash },
    disabled_key_hash: disabled.data.hash,
    spending_key: await createSpendingKey(context, caller),
    partner_key: { key: partner.key, hash: partner.data.hash, external_user: PARTNER_USER },
    connect_client: { id: client.data.id, client_secret: client.client_secret, callback_urls: CALLBACK_URLS },
  };
}

async function createSpendingKey(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
): Promise<DemonstrationKeys['spending_key']> {
  const { organizationId } = caller;
  const keys = context.get(KeysService);
  const { key, data } = await keys.create(caller, { name: 'Spending key', limit: SPENDING_LIMIT_USD });
  const known = await keys.byHashes(context.get(Statements), organizationId, [data.hash]);
  const keyId = known.get(data.hash)!.id;
  for (const { daysAgo, amountUsd, byokAmountUsd } of SPENT) {
    const day = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
    await keys.charge(context.get(Statements), { organizationId, keyId, day, amountUsd, byokAmountUsd });
  }
  return { key, hash: data.hash };
}

/** An authorization code, and the verifier and method to exchange it with. */
export interface DemonstrationCode {
  code: string;
  code_verifier: string | null;
  code_challenge_method: CodeChallengeMethod | null;
}

/** Creates a code with a challenge of each method, and one without a challenge. */
export async function createCodes(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
): Promise<DemonstrationCode[]> {
  const codes = context.get(AuthorizationCodesService);
  const created: DemonstrationCode[] = [];
  for (const method of [...CODE_CHALLENGE_METHODS, null]) {
    const verifier = method === null ? null : randomBytes(32).toString('base64url');
    const { data } = await codes.create(caller, {
      callback_url: 'https://app.demonstration.example/callback',
      key_label: 'Demonstration key from a code',
      ...(verifier !== null &&
        method !== null && {
          code_challenge: codeChallengeOf(verifier, method),
          code_challenge_method: method,
        }),
    });
    created.push({ code: data.id, code_verifier: verifier, code_challenge_method: method });
  }
  return created;
}

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

/** Creates a key of a member in a workspace, and a guardrail for each of the three. */
export async function createGuardedKey(
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
  await guardrails.update(caller, {
    id: workspaceGuardrailId,
    content_filter_builtins: [{ slug: 'email', action: 'redact' }],
    enable_free_model_training: false,
  });
  const ofMember = await guardrails.create(caller, {
    workspace_id: workspaceId,
    name: 'Operators',
    limit_usd: 200,
    reset_interval: 'monthly',
    allowed_providers: ['openai', 'anthropic', 'google-vertex'],
  });
  const ofKey = await guardrails.create(caller, {
    workspace_id: workspaceId,
    name: 'Nightly reports',
    limit_usd: 5,
    reset_interval: 'daily',
    allowed_providers: ['openai', 'anthropic'],
    ignored_models: ['openai/gpt-latest'],
    allowed_data_regions: ['global', 'europe'],
    content_filter_builtins: [{ slug: 'email', action: 'block' }],
  });
  await assignments.assign(caller, ofMember.data.id, 'member', [userId]);
  await assignments.assign(caller, ofKey.data.id, 'key', [key.hash]);
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
