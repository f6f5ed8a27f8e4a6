import { Injectable } from '@nestjs/common';
import { SharedReads } from '../../../persistence/shared-reads.js';
import { lookup } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import {
  type HypotheticalAssignment,
  hypotheticalStatement,
  hypotheticalValues,
} from '../../guardrails/effective-policy/hypothetical-assignment.js';
import { CATALOG_EDITION } from '../../catalog/catalog-edition.repository.js';
import { type KeyOwner, keyOwnerColumns } from '../../keys/credentials/key-owner.js';
import type { SecretInOrganization } from '../../keys/credentials/key-format.js';
import { CONNECTION_EDITION } from '../../providers/connections/connection-edition.repository.js';
import type { RateContext } from '../rates/rate-context.js';
import { LIMITS_IN_FORCE, type LimitsInForce } from '../../spend/limits-of-key.js';

/** What a request is answered under: the settings of its workspace, and which guardrails and limits apply. */
export interface RequestContext extends RateContext {
  /** In lowercase hexadecimal. */
  readonly keyHash: string;
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
  /** Which edition of the catalog is in force, and which of the connections to providers. */
  readonly catalogEdition: string;
  readonly connectionEdition: string;
}

/** The context of the requests of a key, and who calls with it. */
export interface CallerContext extends RequestContext, KeyOwner {}

/**
 * The columns of a {@link RequestContext}, of a key `k` and its workspace `w`. The version of a row is the transaction that wrote it, so
 * that no request is answered under a policy that was replaced before the request came, and what was spent is read with it.
 */
const CONTEXT_COLUMNS = `encode(k.hash, 'hex') AS "keyHash", w.id AS "workspaceId",
      k.requests_per_minute AS "keyRequestsPerMinute", k.tokens_per_minute AS "keyTokensPerMinute",
      w.requests_per_minute AS "workspaceRequestsPerMinute", w.tokens_per_minute AS "workspaceTokensPerMinute",
      w.default_text_model AS "defaultTextModel",
      w.default_provider_sort AS "defaultProviderSort",
      CASE WHEN w.is_observability_io_logging_enabled AND w.io_logging_api_key_ids IS NULL
        THEN w.io_logging_sampling_rate ELSE 0 END AS "contentLoggingRate",
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
      ${LIMITS_IN_FORCE} AS "limits",
      (${CATALOG_EDITION.text}) AS "catalogEdition", (${CONNECTION_EDITION.text}) AS "connectionEdition"`;

/** A key `k` of the organization $1 with its workspace `w`, that of the organization by default. @param column names the key with $2 */
function keyWithWorkspace(column: 'hash' | 'id'): string {
  return `FROM api_keys k
    LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = coalesce(
      k.workspace_id, (SELECT d.id FROM workspaces d WHERE d.organization_id = $1 AND d.is_default)
    )
    WHERE k.organization_id = $1 AND k.${column} = $2`;
}

/** The context of the requests of a key, by the id of the key. */
export const REQUEST_CONTEXT = lookup<RequestContext, [organizationId: string, keyId: string]>(
  'inference_context',
  `SELECT ${CONTEXT_COLUMNS}
    ${keyWithWorkspace('id')}`,
);

/** The same by the hash of the secret, with what the credential is checked by. */
export const CALLER_CONTEXT = lookup<CallerContext, [organizationId: string, hash: Buffer]>(
  'inference_caller',
  `SELECT ${keyOwnerColumns('k')}, ${CONTEXT_COLUMNS}
    ${keyWithWorkspace('hash')}`,
);

/** The same, if another guardrail were assigned. */
export const REQUEST_CONTEXT_HYPOTHETICAL = hypotheticalStatement('inference_context_hypothetical', REQUEST_CONTEXT);

/** Whose requests are answered under a context. */
interface ContextKey {
  readonly organizationId: string;
  readonly keyId: string;
}

/** Reads what requests are answered under. */
@Injectable()
export class RequestContextRepository {
  private readonly contexts = new SharedReads<ContextKey, RequestContext | undefined>(
    ({ organizationId, keyId }) => `${organizationId} ${keyId}`,
    ({ organizationId, keyId }) => this.statements.first(REQUEST_CONTEXT, [organizationId, keyId]),
  );

  private readonly callers = new SharedReads<SecretInOrganization, CallerContext | undefined>(
    ({ organizationId, hash }) => `${organizationId} ${hash.toString('latin1')}`,
    ({ organizationId, hash }) => this.statements.first(CALLER_CONTEXT, [organizationId, hash]),
  );

  constructor(private readonly statements: Statements) {}

  /** How many reads of {@link ofSecret} the database has not answered. */
  get readsOfSecrets(): number {
    return this.callers.underWay;
  }

  /** @returns undefined where no key has this secret now; it may be one from before the last rotation */
  async ofSecret(secret: SecretInOrganization): Promise<CallerContext | undefined> {
    return this.callers.get(secret);
  }

  /**
   * @param hypothetical an assignment that is taken into account although it does not exist
   * @returns undefined when the key was deleted meanwhile
   */
  async ofKey(
    organizationId: string,
    keyId: string,
    hypothetical?: HypotheticalAssignment,
  ): Promise<RequestContext | undefined> {
    if (hypothetical === undefined) return this.contexts.get({ organizationId, keyId });
    return this.statements.first(REQUEST_CONTEXT_HYPOTHETICAL, [
      organizationId,
      keyId,
      ...hypotheticalValues(organizationId, keyId, hypothetical),
    ]);
  }
}
