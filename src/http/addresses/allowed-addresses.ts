import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { PrivateNetworks } from '../../config/network-variables.js';
import { isMetadataAddress } from './metadata-services.js';
import { networkOf } from './networks.js';
import { isPublicAddress } from './public-addresses.js';

/**
 * The addresses that organizations may name: public ones, and those private ones that the operator allows, but never that of a service
 * from which machines in a cloud have their credentials (docs/deploy/egress.md#private-addresses).
 */
export class AllowedAddresses {
  private readonly networks: readonly ((address: string) => boolean)[];

  /** @param privateNetworks of an ALLOW_PRIVATE_* variable */
  constructor(private readonly privateNetworks: PrivateNetworks) {
    this.networks = typeof privateNetworks === 'boolean' ? [] : privateNetworks.map(networkOf);
  }

  /** Whether there are private ones among them, so that http and names of private networks are allowed too. */
  get hasPrivate(): boolean {
    return this.privateNetworks !== false;
  }

  /** Tells rules from each other. */
  get name(): string {
    return String(this.privateNetworks);
  }

  /** @param address an IPv4 or IPv6 address in its usual form */
  has(address: string): boolean {
    if (isIP(address) === 0 || isMetadataAddress(address)) return false;
    if (isPublicAddress(address) || this.privateNetworks === true) return true;
    return this.networks.some((isIn) => isIn(address));
  }
}

/** Public addresses alone. */
export const PUBLIC_ADDRESSES = new AllowedAddresses(false);

/**
 * A look-up of names for connections, which looks them up as the system does, and fails if one of the addresses is not allowed. The
 * connection is made to an address that was checked, so that a name that leads elsewhere by then is of no use.
 *
 * @param refusal makes the error that the connection fails with
 */
export function lookupOf(allowed: AllowedAddresses, refusal: () => Error): LookupFunction {
  return (host, options, callback) => {
    lookUp(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) callback(error, []);
      else if (!addresses.every(({ address }) => allowed.has(address))) callback(refusal(), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}
