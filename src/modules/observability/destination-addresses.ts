import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';
import { readAddress } from './address-form.js';
import type { DestinationConfig } from './credential-mask.js';
import { type AddressForm, DESTINATION_SETTINGS } from './destination-settings.js';
import type { DestinationType } from './destination-type.js';
import { type HostLookup, HostLookupTimedOut, HostResolver } from './host-resolver.js';
import { isPublicAddress } from './public-address.js';

/**
 * Looks at where destinations send data to, so that nobody makes the gateway send it into its own network. A name may mean
 * another address later: whoever connects has to look again. A name that means none, or cannot be looked up because there
 * is no way out, leads nowhere and is accepted.
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
   * What is wrong with the addresses of a configuration.
   *
   * @param lookup who asks
   * @param known the configuration until now: an address in it was looked at when it came
   * @throws RateLimitExceededError when too many names of the organization are being looked up
   */
  async faultsOf(
    type: DestinationType,
    config: DestinationConfig,
    lookup: HostLookup,
    known: DestinationConfig = {},
  ): Promise<ReasonedIssue[]> {
    const faults = Object.entries(DESTINATION_SETTINGS[type]).map(async ([name, { address: form }]) => {
      const value = config[name];
      if (form === undefined || typeof value !== 'string' || value === known[name]) return [];
      const message = await this.faultOf(value, form, lookup);
      return message === undefined ? [] : [{ path: joinPath('config', name), message, reason: 'address_not_allowed' }];
    });
    return (await Promise.all(faults)).flat();
  }

  private async faultOf(text: string, form: AddressForm, lookup: HostLookup): Promise<string | undefined> {
    const address = readAddress(text, form, this.allowPrivate);
    if (address.fault !== undefined || this.allowPrivate) return address.fault;
    try {
      const addresses = await this.resolver.addressesOf(address.host, lookup);
      return addresses.every(isPublicAddress) ? undefined : 'must not be a name of a private address';
    } catch (error) {
      if (error instanceof HostLookupTimedOut) return 'has a host that could not be looked up in time';
      throw error;
    }
  }
}
