import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { IssuerTransport } from '../../../http/addresses/issuer-transport.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import type { IssueWithReason } from '../../../http/errors/issue.js';
import { requireNoIssues } from '../../../http/errors/require-all.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Precondition } from '../../../http/precondition.js';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { AuditTrail, created, updated } from '../../audit/index.js';
import { Quotas } from '../../organization-limits/index.js';
import type {
  CreateFederationIssuerRequest,
  CreateFederationIssuerResponse,
  DeleteFederationIssuerResponse,
  FederationIssuerPath,
  FederationJwks,
  GetFederationIssuerResponse,
  ListFederationIssuersResponse,
  UpdateFederationIssuerRequest,
  UpdateFederationIssuerResponse,
} from '../dto/issuer.dto.js';
import type { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';
import { FederationIssuerInUse, FederationIssuerNotFound, ISSUER_ADDRESS_NOT_ALLOWED } from '../federation.errors.js';
import { tagOfIssuer, toAuditedIssuer, toIssuerResponse } from './issuers.mapper.js';
import { ISSUERS_QUOTA, IssuersRepository } from './issuers.repository.js';
import { publicKeyOf } from './public-keys.js';

type KeySource = Pick<FederationIssuerEntity, 'jwksType' | 'jwksUrl' | 'jwksKeys'>;

/** Issuers whose tokens organizations exchange (docs/interface/token-exchange.md#issuers). */
@Injectable()
export class IssuersService {
  constructor(
    private readonly repository: IssuersRepository,
    private readonly transport: IssuerTransport,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /** @throws BadRequestError for an address that is not asked, a key that is none, and beyond the quota */
  async create(
    caller: ManagementPrincipal,
    input: CreateFederationIssuerRequest,
  ): Promise<CreateFederationIssuerResponse> {
    const { organizationId } = caller;
    const source = await this.keySourceOf(input.jwks, input.issuer);
    await this.quotas.requireBelowQuota(organizationId, ISSUERS_QUOTA);
    const issuer = { organizationId, id: newUuid(), name: input.name, issuer: input.issuer, ...source };
    const changes = created(toAuditedIssuer(issuer));
    const event = { action: 'federation_issuer.create', targetId: issuer.id, changes };
    const times = await this.repository.insert(issuer, caller, event);
    return shown({ ...issuer, ...times });
  }

  /** Lists the issuers of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: PageQuery): Promise<ListFederationIssuersResponse> {
    return toPageResponse(await this.repository.page(caller.organizationId, toPageRequest(input)), toIssuerResponse);
  }

  /** @throws FederationIssuerNotFound also for an id that is not a UUID */
  async get(caller: ManagementPrincipal, { id }: FederationIssuerPath): Promise<GetFederationIssuerResponse> {
    return shown(await this.find(caller.organizationId, id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written.
   *
   * @throws FederationIssuerNotFound
   * @throws PreconditionFailed
   * @throws BadRequestError as `create`
   */
  async update(
    caller: ManagementPrincipal,
    input: FederationIssuerPath & UpdateFederationIssuerRequest,
    precondition = Precondition.NONE,
  ): Promise<UpdateFederationIssuerResponse> {
    const { issuer } = await this.find(caller.organizationId, input.id);
    const source = input.jwks === undefined ? {} : await this.keySourceOf(input.jwks, issuer);
    const changed = await this.statements.transaction((tx) =>
      this.change(tx, caller, { ...input, precondition }, source),
    );
    return shown(changed);
  }

  /** @throws FederationIssuerNotFound @throws PreconditionFailed @throws FederationIssuerInUse while policies name it */
  async delete(
    caller: ManagementPrincipal,
    { id }: FederationIssuerPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteFederationIssuerResponse> {
    const { organizationId } = caller;
    const { id: targetId } = await this.find(organizationId, id);
    await this.statements.transaction(async (tx) => {
      await this.lock(tx, organizationId, targetId, precondition);
      const event = { action: 'federation_issuer.delete', targetId };
      if (!(await this.repository.delete(tx, organizationId, targetId, caller, event)))
        throw new FederationIssuerInUse();
    });
    return { deleted: true };
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    {
      id,
      name,
      precondition,
    }: FederationIssuerPath & UpdateFederationIssuerRequest & { readonly precondition: Precondition },
    source: Partial<KeySource>,
  ): Promise<FederationIssuerEntity> {
    const { organizationId } = caller;
    const before = await this.lock(tx, organizationId, id, precondition);
    const after = { ...before, ...source, name: name ?? before.name };
    const changes = updated(toAuditedIssuer(before), toAuditedIssuer(after));
    if (isDeepStrictEqual(changes, {})) return before;
    const { updatedAt } = await this.repository.update(tx, after);
    const event = { action: 'federation_issuer.update', targetId: before.id, changes };
    await this.audit.record(tx, organizationId, caller, event);
    return { ...after, updatedAt };
  }

  private async lock(
    tx: Transaction,
    organizationId: string,
    id: string,
    precondition: Precondition,
  ): Promise<FederationIssuerEntity> {
    const issuer = await this.repository.lock(tx, organizationId, id);
    if (issuer === undefined) throw new FederationIssuerNotFound();
    precondition.require(tagOfIssuer(issuer));
    return issuer;
  }

  private async find(organizationId: string, id: string): Promise<FederationIssuerEntity> {
    const issuer = isUuid(id) ? await this.repository.find(organizationId, id) : undefined;
    if (issuer === undefined) throw new FederationIssuerNotFound();
    return issuer;
  }

  /** Checks where the keys of an issuer are. @param issuer its claim `iss`, where the discovery document is */
  private async keySourceOf({ type, url = null, keys = null }: FederationJwks, issuer: string): Promise<KeySource> {
    const isOnlyCompared = type !== 'discovery' && issuer.startsWith('https://');
    const issues = [
      ...(isOnlyCompared ? [] : this.addressIssues('issuer', issuer)),
      ...(url === null ? [] : this.addressIssues('jwks.url', url)),
    ];
    const read: JWK[] = [];
    for (const [index, key] of (keys ?? []).entries()) {
      const result = await publicKeyOf(key);
      if (typeof result === 'string') issues.push({ path: `jwks.keys[${index}]`, message: result });
      else read.push(result);
    }
    requireNoIssues(issues);
    return { jwksType: type, jwksUrl: url, jwksKeys: keys === null ? null : read };
  }

  private addressIssues(path: string, url: string): IssueWithReason[] {
    const issue = this.transport.issueOf(url);
    return issue === undefined ? [] : [ISSUER_ADDRESS_NOT_ALLOWED.at(path, issue)];
  }
}

/** The answer that shows an issuer. */
function shown(issuer: FederationIssuerEntity): GetFederationIssuerResponse {
  return withEntityTag({ data: toIssuerResponse(issuer) }, tagOfIssuer(issuer));
}
