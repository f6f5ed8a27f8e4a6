import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';
import { readAddress } from './address-form.js';
import type { DestinationConfig } from './credential-mask.js';
import { type AddressForm, DESTINATION_SETTINGS } from './destination-settings.js';
import type { DestinationType } from './destination-type.js';
import { HostLookupTimedOut, HostResolver } from './host-resolver.js';
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
   * @param known the configuration until now: an address in it was looked at when it came
   */
  async faultsOf(
    type: DestinationType,
    config: DestinationConfig,
    known: DestinationConfig = {},
  ): Promise<ReasonedIssue[]> {
    const issues: ReasonedIssue[] = [];
    for (const [name, { address: form }] of Object.entries(DESTINATION_SETTINGS[type])) {
      const value = config[name];
      if (form === undefined || typeof value !== 'string' || value === known[name]) continue;
      const message = await this.faultOf(value, form);
      if (message !== undefined)
        issues.push({ path: joinPath('config', name), message, reason: 'address_not_allowed' });
    }
    return issues;
  }

  private async faultOf(text: string, form: AddressForm): Promise<string | undefined> {
    const address = readAddress(text, form, this.allowPrivate);
    if (address.fault !== undefined || this.allowPrivate) return address.fault;
    try {
      const addresses = await this.resolver.addressesOf(address.host);
      return addresses.every(isPublicAddress) ? undefined : 'must not be a name of a private address';
    } catch (error) {
      if (error instanceof HostLookupTimedOut) return 'has a host that could not be looked up in time';
      throw error;
    }
  }
}
