import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { type AddressForm, isPublicAddress, parseAddress } from '../../../http/addresses/address-form.js';
import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import type { DestinationConfig } from '../config-mask.js';
import { DESTINATION_SETTINGS, type DestinationType } from '../destination-settings.js';
import { type HostLookup, HostLookupTimedOut, HostResolver } from './host-resolver.js';
import { ADDRESS_NOT_ALLOWED } from '../observability.errors.js';

/**
 * Checks the addresses of destinations, so that the gateway cannot be made to send data into its own network
 * (docs/interface/destinations.md). A name may resolve to another address later, so the address has to be checked again when
 * connecting. A name that does not resolve is accepted.
 */
@Injectable()
export class DestinationAddresses {
  private readonly allowPrivate: boolean;

  constructor(
    environment: Environment,
    private readonly resolver: HostResolver,
  ) {
    this.allowPrivate = environment.allowPrivateDestinations;
  }

  /**
   * Finds the addresses of a configuration that must not be sent to.
   *
   * @param lookup the organization and signal of the look-ups
   * @param known the configuration before the change: its addresses were checked when they were stored
   * @returns an issue for each
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   */
  async issuesOf(
    type: DestinationType,
    config: DestinationConfig,
    lookup: HostLookup,
    known: DestinationConfig = {},
  ): Promise<IssueWithReason[]> {
    const issues = Object.entries(DESTINATION_SETTINGS[type]).map(async ([name, { address: form }]) => {
      const value = config[name];
      if (form === undefined || typeof value !== 'string' || value === known[name]) return [];
      const message = await this.issueOf(value, form, lookup);
      return message === undefined ? [] : [ADDRESS_NOT_ALLOWED.at(joinPath('config', name), message)];
    });
    return (await Promise.all(issues)).flat();
  }

  private async issueOf(text: string, form: AddressForm, lookup: HostLookup): Promise<string | undefined> {
    const address = parseAddress(text, form, this.allowPrivate);
    if (address.issue !== undefined || this.allowPrivate) return address.issue;
    try {
      const addresses = await this.resolver.addressesOf(address.host, lookup);
      return addresses.every(isPublicAddress) ? undefined : 'must not be a name of a private address';
    } catch (error) {
      if (error instanceof HostLookupTimedOut) return 'has a host that could not be looked up in time';
      throw error;
    }
  }
}
