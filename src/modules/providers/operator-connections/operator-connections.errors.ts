import { defineError } from '../../../http/errors/define-error.js';
import { IssueKind } from '../../../http/errors/issue-kind.js';

/** There is no connection to the provider. */
export class ProviderConnectionNotFound extends defineError(404, 'provider_connection_not_found') {}

/** Variables of the environment say how the provider is called, so the interface does not. */
export class ProviderInEnvironment extends defineError(409, 'provider_in_environment') {}

/** What no connection can have. */
export const INVALID_CONNECTION = new IssueKind('invalid_connection', (problem: string) => problem);

/** An address that only the command line can set. */
export const PRIVATE_ADDRESS_NOT_ALLOWED = new IssueKind('address_not_allowed', (message: string) => message);

/** The stored credential belongs to another address, or is shown in another way. */
export const CREDENTIAL_REQUIRED = new IssueKind(
  'credential_required',
  'is required, because the stored one is for another address or another way to show it',
);

/** A model that is named twice. */
export const REPEATED_MODEL = new IssueKind('repeated_model', 'is named twice');
