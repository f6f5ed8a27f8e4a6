import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { requireNoIssues } from '../../../http/errors/require-all.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Precondition } from '../../../http/precondition.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { AuditTrail, created, updated } from '../../audit/index.js';
import { UNKNOWN_KEY } from '../../keys/index.js';
import { Quotas } from '../../organization-limits/index.js';
import {
  type CreateFederationPolicyRequest,
  type CreateFederationPolicyResponse,
  type DeleteFederationPolicyResponse,
  type FederationPolicyPath,
  type GetFederationPolicyResponse,
  type ListFederationPoliciesResponse,
  narrowed,
  type UpdateFederationPolicyRequest,
  type UpdateFederationPolicyResponse,
} from '../dto/policy.dto.js';
import type { FederationPolicyEntity } from '../entities/federation-policy.entity.js';
import { FederationPolicyNotFound, KEY_OF_CLIENT, UNKNOWN_ISSUER } from '../federation.errors.js';
import { tagOfPolicy, toAuditedPolicy, toPolicyResponse } from './policies.mapper.js';
import { POLICIES_QUOTA, PoliciesRepository, type ShownPolicy } from './policies.repository.js';
import { policyIdOf, policyReferenceOf } from './policy-id.js';

const HASH = /^[0-9a-f]{64}$/;

/** Which tokens are exchanged, and the keys that they act as (docs/interface/token-exchange.md#policies). */
@Injectable()
export class PoliciesService {
  constructor(
    private readonly repository: PoliciesRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /** @throws BadRequestError for an issuer or a key that the organization does not have, and beyond the quota */
  async create(
    caller: ManagementPrincipal,
    input: CreateFederationPolicyRequest,
  ): Promise<CreateFederationPolicyResponse> {
    const { organizationId } = caller;
    const keyId = await this.requireReferences(organizationId, input.key_hash, input.issuer_id);
    await this.quotas.requireBelowQuota(organizationId, POLICIES_QUOTA);
    const row = {
      organizationId,
      id: newUuid(),
      name: input.name,
      issuerId: input.issuer_id.toLowerCase(),
      keyId: keyId!,
      subject: input.subject ?? null,
      audience: input.audience,
      condition: input.condition ?? null,
      requiredScope: input.required_scope ?? null,
      requiredTokenType: input.required_token_type ?? null,
      enabled: input.enabled ?? true,
    };
    const made = await this.statements.transaction(async (tx) => {
      await this.repository.insert(tx, row);
      const policy = (await this.repository.find(organizationId, row.id, tx))!;
      const changes = created(toAuditedPolicy(policy));
      const event = { action: 'federation_policy.create', targetId: policyIdOf(row), changes };
      await this.audit.record(tx, organizationId, caller, event);
      return policy;
    });
    return shown(made);
  }

  /** Lists the policies of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: PageQuery): Promise<ListFederationPoliciesResponse> {
    return toPageResponse(await this.repository.page(caller.organizationId, toPageRequest(input)), toPolicyResponse);
  }

  /** @throws FederationPolicyNotFound also for a text that no policy has as its id */
  async get(caller: ManagementPrincipal, path: FederationPolicyPath): Promise<GetFederationPolicyResponse> {
    const policy = await this.repository.find(caller.organizationId, this.rowIdOf(caller, path));
    if (policy === undefined) throw new FederationPolicyNotFound();
    return shown(policy);
  }

  /**
   * Changes the fields in the request; without a change nothing is written.
   *
   * @throws FederationPolicyNotFound
   * @throws PreconditionFailed
   * @throws BadRequestError as `create`, and for a policy that would be left without subject and condition
   */
  async update(
    caller: ManagementPrincipal,
    { id: policyId, ...input }: FederationPolicyPath & UpdateFederationPolicyRequest,
    precondition = Precondition.NONE,
  ): Promise<UpdateFederationPolicyResponse> {
    const id = this.rowIdOf(caller, { id: policyId });
    if ((await this.repository.find(caller.organizationId, id)) === undefined) throw new FederationPolicyNotFound();
    const keyId = await this.requireReferences(caller.organizationId, input.key_hash);
    const changed = await this.statements.transaction((tx) =>
      this.change(tx, caller, id, { ...input, precondition }, keyId),
    );
    return shown(changed);
  }

  /** @throws FederationPolicyNotFound, PreconditionFailed */
  async delete(
    caller: ManagementPrincipal,
    path: FederationPolicyPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteFederationPolicyResponse> {
    const id = this.rowIdOf(caller, path);
    const event = { action: 'federation_policy.delete', targetId: path.id };
    const remove = async (tx?: Transaction): Promise<DeleteFederationPolicyResponse> => {
      if (await this.repository.delete(caller.organizationId, id, caller, event, tx)) return { deleted: true };
      throw new FederationPolicyNotFound();
    };
    if (!precondition.isGiven) return remove();
    return this.statements.transaction(async (tx) => {
      await this.lock(tx, caller, id, precondition);
      return remove(tx);
    });
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    id: string,
    input: UpdateFederationPolicyRequest & { readonly precondition: Precondition },
    keyId: string | undefined,
  ): Promise<ShownPolicy> {
    const { organizationId } = caller;
    const before = await this.lock(tx, caller, id, input.precondition);
    const { keyHash, ...row } = before;
    const changed: FederationPolicyEntity = {
      ...row,
      name: input.name ?? row.name,
      keyId: keyId ?? row.keyId,
      subject: input.subject === undefined ? row.subject : input.subject,
      audience: input.audience ?? row.audience,
      condition: input.condition === undefined ? row.condition : input.condition,
      requiredScope: input.required_scope === undefined ? row.requiredScope : input.required_scope,
      requiredTokenType: input.required_token_type === undefined ? row.requiredTokenType : input.required_token_type,
      enabled: input.enabled ?? row.enabled,
    };
    requireNoIssues(narrowed({ subject: changed.subject, condition: changed.condition }));
    if (isDeepStrictEqual(changed, row)) return { ...row, keyHash };
    await this.repository.update(tx, changed);
    const after = (await this.repository.find(organizationId, id, tx))!;
    const changes = updated(toAuditedPolicy(before), toAuditedPolicy(after));
    const event = { action: 'federation_policy.update', targetId: policyIdOf(after), changes };
    await this.audit.record(tx, organizationId, caller, event);
    return after;
  }

  private async lock(
    tx: Transaction,
    { organizationId }: ManagementPrincipal,
    id: string,
    precondition: Precondition,
  ): Promise<ShownPolicy> {
    const policy = await this.repository.lock(tx, organizationId, id);
    if (policy === undefined) throw new FederationPolicyNotFound();
    precondition.require(tagOfPolicy(policy));
    return policy;
  }

  /** @throws FederationPolicyNotFound for the id of a policy of another organization, and for what is none */
  private rowIdOf({ organizationId }: ManagementPrincipal, { id }: FederationPolicyPath): string {
    const reference = policyReferenceOf(id);
    if (reference?.organizationId !== organizationId) throw new FederationPolicyNotFound();
    return reference.id;
  }

  /**
   * @param hash undefined where the request names no key
   * @param issuerId undefined where it names no issuer
   * @returns the id of the key
   * @throws BadRequestError for what the organization does not have
   */
  private async requireReferences(
    organizationId: string,
    hash: string | undefined,
    issuerId?: string,
  ): Promise<string | undefined> {
    if (hash === undefined && issuerId === undefined) return undefined;
    const wanted = hash !== undefined && HASH.test(hash) ? hash : null;
    const found = await this.repository.references(organizationId, issuerId ?? null, wanted);
    requireNoIssues([
      ...(issuerId === undefined || found.hasIssuer ? [] : [UNKNOWN_ISSUER.at('issuer_id')]),
      ...(hash === undefined || found.keyId !== null ? [] : [UNKNOWN_KEY.at('key_hash')]),
      ...(found.keyId !== null && found.isOfClient === true ? [KEY_OF_CLIENT.at('key_hash')] : []),
    ]);
    return found.keyId ?? undefined;
  }
}

/** The answer that shows a policy. */
function shown(policy: ShownPolicy): GetFederationPolicyResponse {
  return withEntityTag({ data: toPolicyResponse(policy) }, tagOfPolicy(policy));
}
