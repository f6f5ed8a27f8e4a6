import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { IssuerTransport } from '../../../http/addresses/issuer-transport.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import type { IssueWithReason } from '../../../http/errors/issue.js';
import { requireNoIssues } from '../../../http/errors/require-all.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import { Precondition } from '../../../http/precondition.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { Quotas } from '../../organization-limits/quotas.js';
import type {
  CreateFederationIssuerRequest,
  CreateFederationIssuerResponse,
  DeleteFederationIssuerResponse,
  FederationIssuer,
  FederationIssuerPath,
  FederationJwks,
  GetFederationIssuerResponse,
  ListFederationIssuersResponse,
  UpdateFederationIssuerRequest,
  UpdateFederationIssuerResponse,
} from '../dto/issuer.dto.js';
import type { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';
import { FederationIssuerInUse, ISSUER_ADDRESS_NOT_ALLOWED } from '../federation.errors.js';
import { ISSUERS, ISSUERS_PAGE } from './issuers.repository.js';
import { publicKeyOf } from './public-keys.js';
import { shownTimes } from '../../../persistence/rows/wire-fields.js';

type KeySource = Pick<FederationIssuerEntity, 'jwksType' | 'jwksUrl' | 'jwksKeys'>;

/** Issuers whose tokens organizations exchange (docs/interface/token-exchange.md#issuers). */
@Injectable()
export class IssuersService {
  constructor(
    private readonly transport: IssuerTransport,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
  ) {}

  /** @throws BadRequestError for an address that is not asked, a key that is none, and beyond the quota */
  async create(
    caller: ManagementPrincipal,
    input: CreateFederationIssuerRequest,
  ): Promise<CreateFederationIssuerResponse> {
    const { organizationId } = caller;
    const source = await this.keySourceOf(input.jwks, input.issuer);
    await this.quotas.requireBelowQuota(organizationId, ISSUERS.quota);
    const issuer = { organizationId, id: newUuid(), ...ISSUERS.made(input), ...source };
    return shown(await ISSUERS.create(this.statements, caller, issuer));
  }

  /** Lists the issuers of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: PageQuery): Promise<ListFederationIssuersResponse> {
    const page = await this.statements.page(ISSUERS_PAGE, [caller.organizationId], toPageRequest(input));
    return toPageResponse(page, toIssuerResponse);
  }

  /** @throws FederationIssuerNotFound also for an id that is not a UUID */
  async get(caller: ManagementPrincipal, { id }: FederationIssuerPath): Promise<GetFederationIssuerResponse> {
    return shown(await ISSUERS.get(this.statements, caller.organizationId, id));
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
    const { issuer } = await ISSUERS.get(this.statements, caller.organizationId, input.id);
    const source = input.jwks === undefined ? {} : await this.keySourceOf(input.jwks, issuer);
    const changed = await this.statements.transaction(async (tx) => {
      const before = await ISSUERS.hold(tx, caller.organizationId, input.id, precondition);
      return ISSUERS.update(tx, caller, before, { ...ISSUERS.changed(before, input), ...source });
    });
    return shown(changed);
  }

  /** @throws FederationIssuerNotFound @throws PreconditionFailed @throws FederationIssuerInUse while policies name it */
  async delete(
    caller: ManagementPrincipal,
    { id }: FederationIssuerPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteFederationIssuerResponse> {
    const { organizationId } = caller;
    await ISSUERS.get(this.statements, organizationId, id);
    await this.statements.transaction(async (tx) => {
      await ISSUERS.hold(tx, organizationId, id, precondition);
      if (!(await ISSUERS.remove(tx, caller, id))) throw new FederationIssuerInUse();
    });
    return { deleted: true };
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

function shown(issuer: FederationIssuerEntity): GetFederationIssuerResponse {
  return withEntityTag({ data: toIssuerResponse(issuer) }, ISSUERS.tagOf(issuer));
}

/** An issuer as the interface shows it. */
function toIssuerResponse(issuer: FederationIssuerEntity): FederationIssuer {
  const { jwksType: type, jwksUrl: url, jwksKeys: keys } = issuer;
  return { ...ISSUERS.shown(issuer), jwks: { type, url, keys }, ...shownTimes(issuer) };
}
