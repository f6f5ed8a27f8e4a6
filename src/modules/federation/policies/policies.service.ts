import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { requireNoIssues } from '../../../http/errors/require-all.js';
import { type NamedPageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Precondition } from '../../../http/precondition.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { UNKNOWN_KEY } from '../../keys/keys.errors.js';
import { Quotas } from '../../organization-limits/quotas.js';
import {
  type CreateFederationPolicyRequest,
  type CreateFederationPolicyResponse,
  type DeleteFederationPolicyResponse,
  type FederationPolicy,
  type FederationPolicyPath,
  type GetFederationPolicyResponse,
  type ListFederationPoliciesResponse,
  narrowed,
  type UpdateFederationPolicyRequest,
  type UpdateFederationPolicyResponse,
} from '../dto/policy.dto.js';
import { FederationPolicyNotFound, KEY_OF_CLIENT, UNKNOWN_ISSUER } from '../federation.errors.js';
import { POLICIES, POLICIES_PAGE, PoliciesRepository, type ShownPolicy } from './policies.repository.js';
import { policyIdOf, policyReferenceOf } from './policy-id.js';
import { shownTimes } from '../../../persistence/rows/wire-fields.js';

const HASH = /^[0-9a-f]{64}$/;

/** Which tokens are exchanged, and the keys that they act as (docs/interface/token-exchange.md#policies). */
@Injectable()
export class PoliciesService {
  constructor(
    private readonly repository: PoliciesRepository,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
  ) {}

  /** @throws BadRequestError for an issuer or a key that the organization does not have, and beyond the quota */
  async create(
    caller: ManagementPrincipal,
    input: CreateFederationPolicyRequest,
  ): Promise<CreateFederationPolicyResponse> {
    const { organizationId } = caller;
    const keyId = await this.requireReferences(organizationId, input.key_hash, input.issuer_id);
    await this.quotas.requireBelowQuota(organizationId, POLICIES.quota);
    const row = {
      organizationId,
      id: newUuid(),
      ...POLICIES.made(input),
      keyId: keyId!,
    };
    return shown(await POLICIES.create(this.statements, caller, row));
  }

  /** Lists the policies of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: NamedPageQuery): Promise<ListFederationPoliciesResponse> {
    const page = await this.statements.page(POLICIES_PAGE, [caller.organizationId], toPageRequest(input));
    return toPageResponse(page, toPolicyResponse);
  }

  /** @throws FederationPolicyNotFound also for a text that no policy has as its id */
  async get(caller: ManagementPrincipal, path: FederationPolicyPath): Promise<GetFederationPolicyResponse> {
    return shown(await POLICIES.get(this.statements, caller.organizationId, this.rowIdOf(caller, path)));
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
    await POLICIES.get(this.statements, caller.organizationId, id);
    const keyId = await this.requireReferences(caller.organizationId, input.key_hash);
    const changed = await this.statements.transaction(async (tx) => {
      const before = await POLICIES.hold(tx, caller.organizationId, id, precondition);
      const after = { ...POLICIES.changed(before, input), keyId: keyId ?? before.keyId };
      requireNoIssues(narrowed({ subject: after.subject, condition: after.condition }));
      return POLICIES.update(tx, caller, before, after);
    });
    return shown(changed);
  }

  /** @throws FederationPolicyNotFound, PreconditionFailed */
  async delete(
    caller: ManagementPrincipal,
    path: FederationPolicyPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteFederationPolicyResponse> {
    return POLICIES.delete(this.statements, caller, this.rowIdOf(caller, path), precondition, path.id);
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

function shown(policy: ShownPolicy): GetFederationPolicyResponse {
  return withEntityTag({ data: toPolicyResponse(policy) }, POLICIES.tagOf(policy));
}

/** A policy as the interface shows it. */
function toPolicyResponse(policy: ShownPolicy): FederationPolicy {
  return { ...POLICIES.shown(policy), id: policyIdOf(policy), ...shownTimes(policy) };
}
