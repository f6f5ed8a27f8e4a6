import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { pageOfOrganization, VIEW_BY_NAME } from '../../../persistence/page-statement.js';
import { lockById } from '../../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { AuditedRows } from '../../audit/audited-rows.js';
import { type KeyOwner, keyOwnerColumns } from '../../keys/credentials/key-owner.js';
import { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';
import { FederationPolicyEntity } from '../entities/federation-policy.entity.js';
import { FederationPolicyNotFound } from '../federation.errors.js';
import { policyIdOf, type PolicyReference } from './policy-id.js';

/** A policy with what answers show beside its row. */
export type ShownPolicy = FederationPolicyEntity & {
  /** Of the key that it acts as, as it is now: SHA-256 in lowercase hex. */
  readonly keyHash: string;
};

/** What answers show beside the row of a policy. @param key the column of the row */
const shownBeside = (key: string): string => `SELECT (
  SELECT encode(k.hash, 'hex') FROM api_keys k WHERE k.organization_id = $1 AND k.id = ${key}) AS "keyHash"`;

/** A page of the policies of an organization, oldest first. */
export const POLICIES_PAGE = pageOfOrganization<ShownPolicy>({
  name: 'federation_policies_page',
  entity: FederationPolicyEntity,
  beside: shownBeside('page."keyId"'),
  view: VIEW_BY_NAME,
});

export const POLICY_BY_ID = statement<ShownPolicy, [organizationId: string, id: string]>(
  'federation_policy_by_id',
  `SELECT ${columnsOf(FederationPolicyEntity, 'item')}, beside.* FROM federation_policies AS item
    CROSS JOIN LATERAL (${shownBeside('item.key_id')}) AS beside
    WHERE item.organization_id = $1 AND item.id = $2`,
);

/** The policies of organizations. */
export const POLICIES = new AuditedRows({
  entity: FederationPolicyEntity,
  one: 'federation_policy',
  notFound: FederationPolicyNotFound,
  quota: 'federation_policies',
  fields: {
    name: {},
    issuerId: { fixed: true },
    keyHash: { fixed: true },
    subject: { initial: null },
    audience: {},
    condition: { initial: null },
    requiredScope: { initial: null },
    requiredTokenType: { initial: null },
    enabled: { initial: true },
  },
  created: CREATED_AND_UPDATED_NOW,
  lock: lockById('federation_policy_lock', FederationPolicyEntity, 'FOR NO KEY UPDATE'),
  find: POLICY_BY_ID,
  target: policyIdOf,
});

/** What a policy names, as far as the organization has it. */
export interface PolicyReferences {
  readonly hasIssuer: boolean;
  readonly keyId: string | null;
  /** Whether a Connect client has made the key. */
  readonly isOfClient: boolean | null;
}

/** Looks up what a request names. During the grace of a rotation a key is found by its old hash as well. */
export const POLICY_REFERENCES = statement<
  PolicyReferences,
  [organizationId: string, issuerId: string | null, keyHash: string | null]
>(
  'federation_policy_references',
  `SELECT EXISTS (SELECT FROM federation_issuers i WHERE i.organization_id = $1 AND i.id = $2::uuid) AS "hasIssuer",
      key.id AS "keyId", key.connect_client_id IS NOT NULL AS "isOfClient"
    FROM (SELECT) AS one LEFT JOIN LATERAL (
      SELECT k.id, k.connect_client_id FROM api_keys k
      WHERE k.organization_id = $1 AND k.hash = decode($3::text, 'hex') AND k.kind = 'api_key'
      UNION ALL
      SELECT k.id, k.connect_client_id FROM api_keys k
      WHERE k.organization_id = $1 AND k.previous_hash = decode($3::text, 'hex') AND k.previous_hash_expires_at > now()
        AND k.kind = 'api_key'
      LIMIT 1
    ) AS key ON true`,
);

type WithoutTimes<Row> = Omit<Row, 'createdAt' | 'updatedAt'>;

/** What an exchange goes by: a policy, its issuer, and the state of the key that it acts as. */
export interface ExchangePolicy {
  readonly policy: WithoutTimes<FederationPolicyEntity>;
  readonly issuer: WithoutTimes<FederationIssuerEntity>;
  readonly key: Pick<KeyOwner, 'id' | 'disabled' | 'newer' | 'suspended' | 'expired'>;
}

/** What an exchange under a policy goes by. */
export const EXCHANGE_POLICY = statement<ExchangePolicy, [organizationId: string, id: string]>(
  'federation_exchange_policy',
  `SELECT to_json(of_policy) AS policy, to_json(of_issuer) AS issuer, to_json(of_key) AS key
    FROM (SELECT ${columnsOf(FederationPolicyEntity, 'p')} FROM federation_policies p
      WHERE p.organization_id = $1 AND p.id = $2) AS of_policy
    CROSS JOIN LATERAL (SELECT ${columnsOf(FederationIssuerEntity, 'i')} FROM federation_issuers i
      WHERE i.organization_id = $1 AND i.id = of_policy."issuerId") AS of_issuer
    CROSS JOIN LATERAL (SELECT ${keyOwnerColumns('k')} FROM api_keys k
      WHERE k.organization_id = $1 AND k.id = of_policy."keyId") AS of_key`,
);

/** The rows of policies. */
@Injectable()
export class PoliciesRepository {
  constructor(private readonly statements: Statements) {}

  /** Looks up what a request names; null for what it does not name. @param keyHash in lowercase hex */
  async references(organizationId: string, issuerId: string | null, keyHash: string | null): Promise<PolicyReferences> {
    return (await this.statements.first(POLICY_REFERENCES, [organizationId, issuerId, keyHash]))!;
  }

  /** What an exchange under a policy goes by. */
  async forExchange({ organizationId, id }: PolicyReference): Promise<ExchangePolicy | undefined> {
    return this.statements.first(EXCHANGE_POLICY, [organizationId, id]);
  }
}
