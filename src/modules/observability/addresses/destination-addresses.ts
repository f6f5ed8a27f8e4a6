import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import type { DestinationConfig } from '../config-mask.js';
import { DESTINATION_SETTINGS, type DestinationType } from '../destination-settings.js';
import { HostAddresses } from './host-addresses.js';
import type { HostLookup } from './host-resolver.js';
import { ADDRESS_NOT_ALLOWED } from '../observability.errors.js';

/** Checks the addresses of destinations (docs/interface/destinations.md#addresses). */
@Injectable()
export class DestinationAddresses {
  private readonly allowed: AllowedAddresses;

  constructor(
    environment: Environment,
    private readonly addresses: HostAddresses,
  ) {
    this.allowed = new AllowedAddresses(environment.allowPrivateDestinations);
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
      const message = await this.addresses.issueOf(value, form, this.allowed, lookup);
      return message === undefined ? [] : [ADDRESS_NOT_ALLOWED.at(joinPath('config', name), message)];
    });
    return (await Promise.all(issues)).flat();
  }
}
