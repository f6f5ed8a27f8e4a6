import { guardrailsOfMember } from '../../../limits/member-guardrails.js';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Coalescer } from '../../../../concurrency/coalescer.js';
import { type Statement, statement } from '../../../../persistence/statement.js';
import { Statements } from '../../../../persistence/statements.js';
import {
  type HypotheticalAssignment,
  hypotheticalStatement,
  hypotheticalValues,
} from '../../../guardrails/effective-policy/hypothetical-assignment.js';
import { CATALOG_EDITION } from '../../../catalog/catalog.repository.js';
import { PRIVATE_CATALOG_VERSION } from '../../../catalog/private/private-catalog.repository.js';
import { type KeyOwner, keyOwnerColumns } from '../../../keys/credentials/key-owner.js';
import type { SecretInOrganization } from '../../../keys/credentials/key-format.js';
import type { AllowedLabels, Labels } from '../../../labels/labels.js';
import { LIMITS_VERSION } from '../../../limits/limits.repository.js';
import { BROADCAST_VERSION } from '../../../observability/delivery/selection/broadcast-destinations.repository.js';
import { CONNECTION_EDITION } from '../../../providers/connections/connections.repository.js';
import { BlockAdmissions } from '../../../spend/blocks/block-admissions.service.js';
import { LIMITS_IN_FORCE, type LimitsInForce, NO_LIMIT_MET } from '../../../spend/limits-of-key.js';

/** What the requests of a key count toward. */
export interface RateContext {
  /** Null after the deletion of the default workspace. */
  readonly workspaceId: string | null;
  readonly keyRequestsPerMinute: number | null;
  readonly keyTokensPerMinute: number | null;
  readonly workspaceRequestsPerMinute: number | null;
  readonly workspaceTokensPerMinute: number | null;
}

/** What a request is answered under: the settings of its workspace, and which guardrails and limits apply. */
export interface RequestContext extends RateContext {
  /** In lowercase hexadecimal. */
  readonly keyHash: string;
  readonly keyName: string;
  /** The labels of all requests of the key; null for none. */
  readonly keyLabels: Labels | null;
  /** The only end user that requests of the key may name; null for any. */
  readonly boundUser: string | null;
  /** The labels that requests in the workspace may name; null for all. */
  readonly allowedLabels: AllowedLabels | null;
  readonly defaultTextModel: string | null;
  readonly defaultProviderSort: string | null;
  /** The share of requests whose content is kept, from 0 to 1. */
  readonly contentLoggingRate: number;
  /** Whether answers are cached; null where that is as the content is kept. */
  readonly isResponseCacheEnabled: boolean | null;
  /** The version of the destinations that get generations of the workspace; null without any. */
  readonly broadcastVersion: string | null;
  /** The version of the guardrails that apply (`policyVersionOf`); null if none does. */
  readonly policyVersion: string | null;
  /** Whether the workspace has a provider key of the organization's own that is not disabled. */
  readonly hasOwnKeys: boolean;
  /** Null where no limit applies. */
  readonly limits: LimitsInForce | null;
  /** The version of the limits of the key, of its workspace and of guardrails, which changes with each of them, and not with what is spent; null without any. */
  readonly spendLimitsVersion: string | null;
  /** Which edition of the catalog is in force, and which of the connections to providers. */
  readonly catalogEdition: string;
  readonly connectionEdition: string;
  /** The version of the organization's own active endpoints; null without any. */
  readonly privateCatalogVersion: string | null;
  /** The version of the limits by condition and group that may apply; null without any. */
  readonly limitsVersion: string | null;
}

/** The context of the requests of a key, and who calls with it. */
export interface CallerContext extends RequestContext, KeyOwner {}

/** A context as a statement returns it, which may not have looked for limits. */
type ContextRow<Context extends RequestContext> = Context & { readonly keyId: string };

/**
 * A SELECT of {@link ContextRow}s: of the key that a column names with $2, in the organization $1, with its workspace, that of the
 * organization by default. The version of a row is the transaction that wrote it, so that no request is answered under a policy that
 * was replaced before the request came, and what was spent is read with it.
 *
 * @param limits an SQL expression for the limits of a key `k` and its workspace `w`
 * @param further columns of the key
 */
function contextOf(column: 'hash' | 'id', limits: string, further = ''): string {
  return `SELECT ${further}k.id AS "keyId", encode(k.hash, 'hex') AS "keyHash", k.name AS "keyName", k.labels AS "keyLabels",
      k.bound_user AS "boundUser", w.id AS "workspaceId", w.allowed_labels AS "allowedLabels",
      k.requests_per_minute AS "keyRequestsPerMinute", k.tokens_per_minute AS "keyTokensPerMinute",
      w.requests_per_minute AS "workspaceRequestsPerMinute", w.tokens_per_minute AS "workspaceTokensPerMinute",
      w.default_text_model AS "defaultTextModel",
      w.default_provider_sort AS "defaultProviderSort",
      CASE WHEN w.is_observability_io_logging_enabled AND w.io_logging_api_key_ids IS NULL
        THEN w.io_logging_sampling_rate ELSE 0 END AS "contentLoggingRate",
      w.is_response_cache_enabled AS "isResponseCacheEnabled",
      ${BROADCAST_VERSION} AS "broadcastVersion",
      applied.version AS "policyVersion",
      EXISTS (
        SELECT FROM provider_keys p WHERE p.organization_id = $1 AND p.workspace_id = w.id AND NOT p.disabled
      ) AS "hasOwnKeys",
      CASE WHEN k.limit_usd IS NOT NULL OR applied.is_limited OR budgets.version IS NOT NULL THEN concat(
        k.limit_usd, ' ', k.limit_reset, ' ', k.include_byok_in_limit, ' ', w.include_byok_in_budgets, ' ', budgets.version, ' ',
        held.guardrails::text, ' ', applied.version) END AS "spendLimitsVersion",
      ${limits} AS "limits",
      (${CATALOG_EDITION.text}) AS "catalogEdition", (${CONNECTION_EDITION.text}) AS "connectionEdition",
      ${PRIVATE_CATALOG_VERSION} AS "privateCatalogVersion", ${LIMITS_VERSION} AS "limitsVersion"
    ${KEY_WITH_WORKSPACE}
    CROSS JOIN LATERAL (
      SELECT ARRAY[
        w.default_guardrail_id,
        ${guardrailsOfMember('k.user_id', 'w.id').join(', ')},
        (SELECT a.guardrail_id FROM guardrail_key_assignments a WHERE a.organization_id = $1 AND a.key_id = k.id)] AS guardrails
    ) AS held
    CROSS JOIN LATERAL (
      SELECT string_agg(g.id || ' ' || g.xmin, ',' ORDER BY g.id) AS version, bool_or(g.limit_usd IS NOT NULL) AS is_limited
      FROM guardrails g WHERE g.organization_id = $1 AND g.id = ANY (held.guardrails)
    ) AS applied
    CROSS JOIN LATERAL (
      SELECT string_agg(b."interval" || ' ' || b.xmin, ',' ORDER BY b."interval") AS version
      FROM workspace_budgets b WHERE b.organization_id = $1 AND b.workspace_id = w.id
    ) AS budgets
    WHERE k.organization_id = $1 AND k.${column} = $2`;
}

/** A key `k` of the organization $1, and its workspace `w`. */
const KEY_WITH_WORKSPACE = `FROM api_keys k
    LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = coalesce(
      k.workspace_id, (SELECT d.id FROM workspaces d WHERE d.organization_id = $1 AND d.is_default)
    )`;

type ContextValues = [organizationId: string, keyId: string];
type CallerValues = [organizationId: string, hash: Buffer];

/** Selected in place of the limits by statements that do not read them. */
const NO_LIMITS = 'NULL::json';

/** The context of the requests of a key, by the id of the key, without its limits. */
export const REQUEST_CONTEXT = statement<ContextRow<RequestContext>, ContextValues>(
  'inference_context',
  contextOf('id', NO_LIMITS),
);

/** {@link REQUEST_CONTEXT} with the limits that apply. */
export const LIMITED_REQUEST_CONTEXT = statement<ContextRow<RequestContext>, ContextValues>(
  'inference_context_limited',
  contextOf('id', LIMITS_IN_FORCE),
);

const OWNER_COLUMNS = `${keyOwnerColumns('k')}, `;

/** The context of the requests of a key, by the hash of its secret, with what the credential is checked by, and without its limits. */
export const CALLER_CONTEXT = statement<ContextRow<CallerContext>, CallerValues>(
  'inference_caller',
  contextOf('hash', NO_LIMITS, OWNER_COLUMNS),
);

/** {@link CALLER_CONTEXT} with the limits that apply. */
export const LIMITED_CALLER_CONTEXT = statement<ContextRow<CallerContext>, CallerValues>(
  'inference_caller_limited',
  contextOf('hash', LIMITS_IN_FORCE, OWNER_COLUMNS),
);

/** The limits of a key alone, by its id. */
export const REQUEST_LIMITS = statement<Pick<RequestContext, 'limits'>, ContextValues>(
  'inference_limits',
  `SELECT ${LIMITS_IN_FORCE} AS "limits"
    ${KEY_WITH_WORKSPACE}
    WHERE k.organization_id = $1 AND k.id = $2`,
);

/** The context of a key with its limits, if another guardrail were assigned. */
export const REQUEST_CONTEXT_HYPOTHETICAL = hypotheticalStatement(
  'inference_context_hypothetical',
  LIMITED_REQUEST_CONTEXT,
);

/** Whose requests are answered under a context. */
interface ContextKey {
  readonly organizationId: string;
  readonly keyId: string;
}

/** Of how many keys it is remembered that they have limits. */
const KEYS_WITH_LIMITS = 10_000;

/**
 * Reads what requests are answered under. Few keys have limits, and looking for them would take a third of the time of the statement
 * (bench/README.md#the-gateway). So limits are read with the context only if the key had some when it was read last; if it has some by
 * now, they are read in a second statement. Nor are they read while this process has a block that was made under them: there is none where a
 * limit is met (docs/budgets.md#blocks).
 */
@Injectable()
export class RequestContextRepository {
  private readonly contexts = new Coalescer<ContextKey, RequestContext | undefined>(contextName, (keys) =>
    keys.map((key) =>
      this.read(contextName(key), REQUEST_CONTEXT, LIMITED_REQUEST_CONTEXT, [key.organizationId, key.keyId]),
    ),
  );

  private readonly callers = new Coalescer<SecretInOrganization, CallerContext | undefined>(callerName, (secrets) =>
    secrets.map((secret) =>
      this.read(callerName(secret), CALLER_CONTEXT, LIMITED_CALLER_CONTEXT, [secret.organizationId, secret.hash]),
    ),
  );

  /** The ids of keys that had limits when they were read last, by their names in the reads above. */
  private readonly limitedKeys = new LRUCache<string, string>({ max: KEYS_WITH_LIMITS });

  constructor(
    private readonly statements: Statements,
    private readonly blocks: BlockAdmissions,
  ) {}

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

  /** @returns undefined when no key has these values, or has them no longer */
  private async read<Context extends RequestContext, Values extends readonly [organizationId: string, unknown]>(
    name: string,
    unlimited: Statement<ContextRow<Context>, Values>,
    limited: Statement<ContextRow<Context>, Values>,
    values: NoInfer<Values>,
  ): Promise<Context | undefined> {
    const limitedKey = this.limitedKeys.get(name);
    const leasedUnder = limitedKey === undefined ? undefined : this.blocks.limitsVersionOf(limitedKey);
    const readsLimits = limitedKey !== undefined && leasedUnder === undefined;
    const context = await this.statements.first(readsLimits ? limited : unlimited, values);
    if (context === undefined) return undefined;
    if (context.spendLimitsVersion === null) {
      this.limitedKeys.delete(name);
      return context;
    }
    this.limitedKeys.set(name, context.keyId);
    if (readsLimits) return context;
    if (leasedUnder === limitsVersionOf(context)) return Object.assign(context, { limits: NO_LIMIT_MET });
    const read = await this.statements.first(REQUEST_LIMITS, [values[0], context.keyId]);
    return read === undefined ? undefined : Object.assign(context, read);
  }
}

/** The version of everything that bounds what the requests of a key use. */
export function limitsVersionOf({
  spendLimitsVersion,
  limitsVersion,
}: Pick<RequestContext, 'spendLimitsVersion' | 'limitsVersion'>): string {
  return `${spendLimitsVersion} ${limitsVersion}`;
}

function contextName({ organizationId, keyId }: ContextKey): string {
  return `${organizationId} ${keyId}`;
}

function callerName({ organizationId, hash }: SecretInOrganization): string {
  return `${organizationId} ${hash.toString('latin1')}`;
}
