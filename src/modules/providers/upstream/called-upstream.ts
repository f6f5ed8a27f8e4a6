import type { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import type { Upstream } from '../../codecs/upstream-codec.js';
import type { AddressForm } from '../addresses/operation-address.js';
import type { CredentialScheme } from '../credentials/credential-scheme.js';

/** A provider as it is called. */
export interface CalledUpstream extends Upstream {
  /** How the addresses of operations are formed; undefined where they are added to the base URL. */
  readonly address?: AddressForm | undefined;
  /** The base URL at which documents are ranked; undefined for that of all operations. */
  readonly rerankBaseUrl?: string | undefined;
  /** How the provider is shown who calls; undefined for the API key where the dialect has it. */
  readonly credential?: CredentialScheme | undefined;
  /** Whether an organization has brought the API key. */
  readonly isOwnKey?: boolean | undefined;
  /** Whether it is a provider that an organization has of its own, whose endpoints have their addresses. */
  readonly isPrivate?: boolean | undefined;
  /** Where connections may lead, if the address was chosen by the interface; undefined for one that the operator has set. */
  readonly allowedAddresses?: AllowedAddresses | undefined;
}
