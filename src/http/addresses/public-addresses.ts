import { lookup as lookUp, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
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

/** How a server outside is called. */
export interface OutgoingConnections {
  /** How long making a connection may take, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long an idle connection is kept, in milliseconds: its address was checked when it was made. */
  readonly keepAliveMs: number;
  /** How much of the head of an answer is read, in bytes. */
  readonly maximumHead: number;
  /** Makes the error for an address that is not public; undefined where all addresses are allowed. */
  readonly refusal: (() => Error) | undefined;
}

/** Connections to servers whose addresses organizations choose: each is made to an address that was checked. */
export function outgoingAgent({ connectTimeoutMs, keepAliveMs, maximumHead, refusal }: OutgoingConnections): Agent {
  return new Agent({
    connect: { timeout: connectTimeoutMs, ...(refusal !== undefined && { lookup: publicAddressesOnly(refusal) }) },
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    maxHeaderSize: maximumHead,
    pipelining: 1,
  });
}
