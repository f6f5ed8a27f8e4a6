import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import {
  type Supposition,
  supposingStatement,
  suppositionValues,
} from '../../guardrails/effective-policy/supposed-assignment.js';
import { LIMITS_IN_FORCE, type LimitsInForce } from '../../spend/limits-of-key.js';

/** What a request is answered under: the settings of its workspace, and which guardrails and limits apply. */
export interface RequestContext {
  /** In lowercase hexadecimal. */
  readonly keyHash: string;
  /** Null after the deletion of the default workspace. */
  readonly workspaceId: string | null;
  readonly defaultTextModel: string | null;
  readonly defaultProviderSort: string | null;
  /** The share of requests whose content is kept, from 0 to 1. */
  readonly contentLoggingRate: number;
  /** That of the guardrails that apply (`policyVersionOf`); null if none does. */
  readonly policyVersion: string | null;
  /** Whether the workspace has a provider key of the organization's own that is not disabled. */
  readonly hasOwnKeys: boolean;
  /** Null where no limit applies. */
  readonly limits: LimitsInForce | null;
  readonly keyRequestsPerMinute: number | null;
  readonly keyTokensPerMinute: number | null;
  readonly workspaceRequestsPerMinute: number | null;
  readonly workspaceTokensPerMinute: number | null;
}

/**
 * The context of a key's requests. The version of a row is the transaction that wrote it, so that no request is answered under
 * a policy that was replaced before the request came, and what was spent is read with it.
 */
export const REQUEST_CONTEXT = statement<RequestContext, [organizationId: string, keyId: string]>(
  'inference_context',
  `SELECT encode(k.hash, 'hex') AS "keyHash", w.id AS "workspaceId", w.default_text_model AS "defaultTextModel",
      w.default_provider_sort AS "defaultProviderSort",
      CASE WHEN w.is_observability_io_logging_enabled AND w.io_logging_api_key_ids IS NULL
        THEN w.io_logging_sampling_rate ELSE 0 END AS "contentLoggingRate",
      k.requests_per_minute AS "keyRequestsPerMinute", k.tokens_per_minute AS "keyTokensPerMinute",
      w.requests_per_minute AS "workspaceRequestsPerMinute", w.tokens_per_minute AS "workspaceTokensPerMinute",
      (
        SELECT string_agg(g.id || ' ' || g.xmin, ',' ORDER BY g.id) FROM guardrails g
        WHERE g.organization_id = $1 AND g.id = ANY (
          ARRAY[w.default_guardrail_id]
          || ARRAY(SELECT m.guardrail_id FROM guardrail_member_assignments m
               WHERE m.organization_id = $1 AND m.user_id = k.user_id)
          || ARRAY(SELECT a.guardrail_id FROM guardrail_key_assignments a
               WHERE a.organization_id = $1 AND a.key_id = k.id)
        )
      ) AS "policyVersion",
      EXISTS (
        SELECT FROM provider_keys p WHERE p.organization_id = $1 AND p.workspace_id = w.id AND NOT p.disabled
      ) AS "hasOwnKeys",
      ${LIMITS_IN_FORCE} AS "limits"
    FROM api_keys k
    LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = coalesce(
      k.workspace_id, (SELECT d.id FROM workspaces d WHERE d.organization_id = $1 AND d.is_default)
    )
    WHERE k.organization_id = $1 AND k.id = $2`,
);

/** The same, if another guardrail were assigned. */
export const REQUEST_CONTEXT_SUPPOSED = supposingStatement('inference_context_supposed', REQUEST_CONTEXT);

/** Reads what requests are answered under. */
@Injectable()
export class RequestContextRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * @param supposition what is to be taken for granted besides what is so
   * @returns undefined when the key was deleted meanwhile
   */
  async ofKey(organizationId: string, keyId: string, supposition?: Supposition): Promise<RequestContext | undefined> {
    if (supposition === undefined) return this.statements.first(REQUEST_CONTEXT, [organizationId, keyId]);
    return this.statements.first(REQUEST_CONTEXT_SUPPOSED, [
      organizationId,
      keyId,
      ...suppositionValues(organizationId, keyId, supposition),
    ]);
  }
}
