import { ProviderError } from './provider-error.js';

/** The request has something that the provider's form cannot say. It counts as the provider's refusal, of status 400. */
export function untranslatable(what: string): ProviderError {
  return new ProviderError('refused', `The provider of this model takes no ${what}.`, { status: 400 });
}
