import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../database/entity-columns.js';
import { Statements } from '../../database/statements.js';
import { ENDPOINT_SWITCHES, type ModelPolicy, ZDR_SWITCHES } from './effective-policy.js';
import { GuardrailEntity } from './entities/guardrail.entity.js';
import type { Application } from './guardrail-application.js';

/** A guardrail that applies to a key, and why. */
export type ApplyingGuardrail = GuardrailEntity & { readonly through: Application };

/** The columns of a guardrail that are about models and those who provide them: the filters can be far larger. */
const MODEL_COLUMNS = columnsOf(GuardrailEntity, 'g', [
  'id',
  'allowedModels',
  'ignoredModels',
  'allowedProviders',
  'ignoredProviders',
  ...ZDR_SWITCHES,
  ...ENDPOINT_SWITCHES,
]);

/**
 * The guardrails that apply to a key: one for each reason, and one that applies for several reasons several times. A
 * default guardrail that is not stored restricts nothing, and is left out.
 */
export const GUARDRAILS_OF_KEY = {
  name: 'guardrails_of_key',
  text: guardrailsOfKey(columnsOf(GuardrailEntity, 'g')),
};

/** The same guardrails, with what they ask of models alone. */
export const MODEL_POLICIES_OF_KEY = { name: 'model_policies_of_key', text: guardrailsOfKey(MODEL_COLUMNS) };

function guardrailsOfKey(columns: string): string {
  return `
    WITH key AS (
      SELECT k.id, k.user_id, coalesce(k.workspace_id, w.id) AS workspace_id
      FROM api_keys k LEFT JOIN workspaces w ON w.organization_id = k.organization_id AND w.is_default
      WHERE k.organization_id = $1 AND k.id = $2
    )
    SELECT 'workspace' AS through, ${columns}
    FROM key JOIN workspaces w ON w.organization_id = $1 AND w.id = key.workspace_id
    JOIN guardrails g ON g.organization_id = $1 AND g.id = w.default_guardrail_id
    UNION ALL
    SELECT 'member' AS through, ${columns}
    FROM key JOIN guardrail_member_assignments a ON a.organization_id = $1 AND a.user_id = key.user_id
    JOIN guardrails g ON g.organization_id = $1 AND g.id = a.guardrail_id
    UNION ALL
    SELECT 'key' AS through, ${columns}
    FROM key JOIN guardrail_key_assignments a ON a.organization_id = $1 AND a.key_id = key.id
    JOIN guardrails g ON g.organization_id = $1 AND g.id = a.guardrail_id`;
}

/** Reads which guardrails apply. */
@Injectable()
export class EffectiveGuardrailsRepository {
  constructor(private readonly statements: Statements) {}

  /** @param keyId the id of the key, not its hash */
  async ofKey(organizationId: string, keyId: string): Promise<ApplyingGuardrail[]> {
    return this.statements.rows(GUARDRAILS_OF_KEY, [organizationId, keyId]);
  }

  /** What the guardrails of a key ask of models. @param keyId the id of the key, not its hash */
  async modelPoliciesOfKey(organizationId: string, keyId: string): Promise<ModelPolicy[]> {
    return this.statements.rows(MODEL_POLICIES_OF_KEY, [organizationId, keyId]);
  }
}
