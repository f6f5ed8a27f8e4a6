import { Injectable } from '@nestjs/common';
import { type AddressForm, parseAddress } from '../../../http/addresses/address-form.js';
import type { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import { type HostLookup, HostLookupTimedOut, HostResolver } from './host-resolver.js';

/**
 * Checks addresses that organizations choose, so that the gateway cannot be made to call its own network
 * (docs/interface/destinations.md#addresses). A name may resolve to another address later, so the address has to be checked again when
 * connecting. A name that does not resolve is accepted.
 */
@Injectable()
export class HostAddresses {
  constructor(private readonly resolver: HostResolver) {}

  /**
   * @param lookup the organization and signal of the look-up
   * @returns what is wrong with the address, after the name of its field; undefined for one that may be called
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   */
  async issueOf(
    text: string,
    form: AddressForm,
    allowed: AllowedAddresses,
    lookup: HostLookup,
  ): Promise<string | undefined> {
    const address = parseAddress(text, form, allowed);
    if (address.issue !== undefined) return address.issue;
    try {
      const addresses = await this.resolver.addressesOf(address.host, lookup);
      if (addresses.every((one) => allowed.has(one))) return undefined;
      return `must not be a name of a private address${allowed.hasPrivate ? ' that is not allowed' : ''}`;
    } catch (error) {
      if (!(error instanceof HostLookupTimedOut)) throw error;
      // A name of a network of one's own may be known to no name server; connections to it are checked all the same.
      return allowed.hasPrivate ? undefined : 'has a host that could not be looked up in time';
    }
  }

  /** As {@link issueOf}, of an address that is shown in full, so that it has no query: a secret may stand there. */
  async issueOfShown(url: string, allowed: AllowedAddresses, lookup: HostLookup): Promise<string | undefined> {
    return url.includes('?') ? 'must not have a query' : this.issueOf(url, 'url', allowed, lookup);
  }
}
