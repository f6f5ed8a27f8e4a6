import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { ENDPOINT_SWITCHES, type ModelPolicy, ZDR_SWITCHES } from './effective-policy.js';
import { guardrailsOfMember } from '../../limits/member-guardrails.js';
import { GuardrailEntity } from '../entities/guardrail.entity.js';
import type { GuardrailSource } from './effective-guardrails.dto.js';
import { type HypotheticalAssignment, hypotheticalStatement, hypotheticalValues } from './hypothetical-assignment.js';

/** A guardrail that applies to a key, and why. */
export type ApplyingGuardrail = GuardrailEntity & { readonly through: GuardrailSource };

/** A guardrail that applies to a key, with the transaction that wrote it. */
export type VersionedGuardrail = ApplyingGuardrail & { readonly version: string };

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

/** A condition: a guardrail `g` is enforced. */
export const ENFORCING = "AND g.enforcement = 'enforce'";

/** The queries for the guardrails of the owner of a `key`, as rows. */
const OF_OWNER = guardrailsOfMember('key.user_id', 'key.workspace_id')
  .map((id) => `(${id})`)
  .join(', ');

/**
 * The guardrails that apply to a key: one for each reason, and one that applies for several reasons several times. A
 * default guardrail that is not stored restricts nothing, and is left out.
 */
export const GUARDRAILS_OF_KEY = statement<VersionedGuardrail, [organizationId: string, keyId: string]>(
  'guardrails_of_key',
  guardrailsOfKey(`${columnsOf(GuardrailEntity, 'g')}, g.xmin::text AS version`),
);

/** The guardrails of a key, if another one were assigned. */
export const GUARDRAILS_OF_KEY_HYPOTHETICAL = hypotheticalStatement(
  'guardrails_of_key_hypothetical',
  GUARDRAILS_OF_KEY,
);

/**
 * The oldest API keys of an organization that are not disabled. `holder` is the same for keys to which the same guardrails apply: of one workspace and
 * one owner, and with the same guardrail of their own.
 */
export const OLDEST_KEYS = statement<
  { id: string; hash: string; name: string; holder: string },
  [organizationId: string, most: number]
>(
  'keys_oldest',
  `SELECT k.id, encode(k.hash, 'hex') AS hash, k.name, concat_ws('/', k.workspace_id, k.user_id,
      (SELECT a.guardrail_id FROM guardrail_key_assignments a WHERE a.organization_id = $1 AND a.key_id = k.id)) AS holder
    FROM api_keys k
    WHERE k.organization_id = $1 AND k.kind = 'api_key' AND NOT k.disabled ORDER BY k.created_at, k.id LIMIT $2`,
);

/** The guardrails of a key that enforce, with what they ask of models alone. */
export const MODEL_POLICIES_OF_KEY = statement<ModelPolicy, [organizationId: string, keyId: string]>(
  'model_policies_of_key',
  guardrailsOfKey(MODEL_COLUMNS, ENFORCING),
);

/** @param condition what each guardrail `g` has to fulfil besides */
function guardrailsOfKey(columns: string, condition = ''): string {
  return `
    WITH key AS (
      SELECT k.id, k.user_id, coalesce(k.workspace_id, w.id) AS workspace_id
      FROM api_keys k LEFT JOIN workspaces w ON w.organization_id = $1 AND w.is_default
      WHERE k.organization_id = $1 AND k.id = $2
    )
    SELECT 'workspace' AS through, ${columns}
    FROM key JOIN workspaces w ON w.organization_id = $1 AND w.id = key.workspace_id
    JOIN guardrails g ON g.organization_id = $1 AND g.id = w.default_guardrail_id ${condition}
    UNION ALL
    SELECT 'member' AS through, found.*
    FROM key CROSS JOIN LATERAL (VALUES ${OF_OWNER}) AS held (guardrail_id)
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM guardrails g
      WHERE g.organization_id = $1 AND g.id = held.guardrail_id ${condition} LIMIT 1) AS found
    UNION ALL
    SELECT 'key' AS through, ${columns}
    FROM key JOIN guardrail_key_assignments a ON a.organization_id = $1 AND a.key_id = key.id
    JOIN guardrails g ON g.organization_id = $1 AND g.id = a.guardrail_id ${condition}`;
}

/** Reads which guardrails apply. */
@Injectable()
export class EffectiveGuardrailsRepository {
  constructor(private readonly statements: Statements) {}

  /** @param keyId the id of the key, not its hash @param hypothetical an assignment that is taken into account although it does not exist */
  async ofKey(
    organizationId: string,
    keyId: string,
    hypothetical?: HypotheticalAssignment,
  ): Promise<VersionedGuardrail[]> {
    if (hypothetical === undefined) return this.statements.rows(GUARDRAILS_OF_KEY, [organizationId, keyId]);
    return this.statements.rows(GUARDRAILS_OF_KEY_HYPOTHETICAL, [
      organizationId,
      keyId,
      ...hypotheticalValues(organizationId, keyId, hypothetical),
    ]);
  }

  /** What the guardrails of a key ask of models. @param keyId the id of the key, not its hash */
  async modelPoliciesOfKey(organizationId: string, keyId: string): Promise<ModelPolicy[]> {
    return this.statements.rows(MODEL_POLICIES_OF_KEY, [organizationId, keyId]);
  }
}
