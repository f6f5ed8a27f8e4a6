import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { withoutSlash } from '../../config/provider-variables.js';
import { AllowedAddresses } from '../../http/addresses/allowed-addresses.js';
import { Dialect } from '../../http/dialect/dialect.js';
import { requireNoIssues } from '../../http/errors/require-all.js';
import { ReferenceForms } from '../catalog/reference-forms.js';
import { HostAddresses } from '../observability/addresses/host-addresses.js';
import { issueOfAddedPath } from '../providers/addresses/added-path.js';
import { PRIVATE_ADDRESS_NOT_ALLOWED } from './private-models.errors.js';

interface AddressChoice {
  readonly organizationId: string;
  /** Ends the look-up of its host. */
  readonly signal: AbortSignal;
}

/** Checks the addresses of providers and endpoints that organizations have of their own (docs/interface/private-models.md#addresses). */
@Injectable()
export class PrivateAddresses {
  private readonly upstreams: AllowedAddresses;

  constructor(
    private readonly addresses: HostAddresses,
    private readonly dialect: Dialect,
    private readonly forms: ReferenceForms,
    { allowPrivateUpstreams }: Environment,
  ) {
    this.upstreams = new AllowedAddresses(allowPrivateUpstreams);
  }

  /**
   * @param baseUrl null and undefined are none
   * @returns it without a slash at its end, in the public dialect in normal form
   * @throws BadRequestError for an address that is not called
   */
  async allowed<Url extends string | null | undefined>(baseUrl: Url, choice: AddressChoice): Promise<Url | string> {
    if (typeof baseUrl !== 'string') return baseUrl;
    const address = this.dialect.isPublic ? normalForm(baseUrl) : withoutSlash(baseUrl);
    const issue = await this.issueOf(address, choice);
    requireNoIssues(issue === undefined ? [] : [PRIVATE_ADDRESS_NOT_ALLOWED.at('base_url', issue)]);
    return address;
  }

  /**
   * As {@link allowed}, of a provider: the public dialect takes only the form that is answered, because clients that compare the two would see
   * a change.
   */
  async allowedOfProvider<Url extends string | null | undefined>(
    baseUrl: Url,
    choice: AddressChoice,
  ): Promise<Url | string> {
    const address = await this.allowed(baseUrl, choice);
    if (typeof baseUrl === 'string' && typeof address === 'string')
      requireNoIssues(this.forms.nameIssues('base_url', baseUrl, address));
    return address;
  }

  /** What is wrong with an address; undefined for one that is called. */
  async issueOf(baseUrl: string, choice: AddressChoice): Promise<string | undefined> {
    const issue = await this.addresses.issueOf(baseUrl, 'url', this.upstreams, choice);
    // Operations are added to its path.
    return issue ?? (baseUrl.includes('?') ? 'must not have a query' : issueOfAddedPath(baseUrl));
  }
}

/** An address with scheme and host in small letters, and without the path of chats or a slash at its end. */
function normalForm(baseUrl: string): string {
  const pathAt = baseUrl.indexOf('/', baseUrl.indexOf('://') + 3);
  const [origin, path] = pathAt === -1 ? [baseUrl, ''] : [baseUrl.slice(0, pathAt), baseUrl.slice(pathAt)];
  return `${origin.toLowerCase()}${withoutSlash(withoutSlash(path).replace(/\/chat\/completions$/, ''))}`;
}
