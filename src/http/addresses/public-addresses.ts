import { lookup as lookUp, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './address-form.js';

/**
 * A look-up of names for connections, which looks them up as the system does, and fails if one of the addresses is not public. The connection
 * is made to an address that was checked, so that a name that leads elsewhere by then is of no use.
 *
 * @param refusal makes the error that the connection fails with
 */
export function publicAddressesOnly(refusal: () => Error): LookupFunction {
  return (host, options, callback) => {
    lookUp(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) callback(error, []);
      else if (!addresses.every(({ address }) => isPublicAddress(address))) callback(refusal(), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}
