/** Why the service refused what there is no issue of a field for, by its reason: its message is the same for all of a status. */
export const CONFLICTS: Readonly<Record<string, string>> = {
  federation_issuer_in_use: 'Policies name this issuer, so nothing was deleted. Delete them first.',
  keys_of_other_address:
    'There are provider keys for the provider, and a key never follows to another scheme, host or port. Delete the keys, change the address, and give them again.',
  private_endpoint_active:
    'An active endpoint keeps its address and its name of the model. Disable it first; then it has to be checked again.',
  private_endpoint_check_failed:
    'The endpoint does not answer as it should, so it was not activated. Check it to see what fails.',
  private_endpoint_without_prices: 'It has no prices. What costs nothing has prices of 0.',
  private_provider_exists: 'The catalog, or your organization, has a provider of this name or slug already.',
  private_provider_in_use: 'Endpoints or provider keys name this provider, so nothing was deleted. Delete them first.',
  provider_in_environment: 'Variables of the service name this provider, so it is not changed here.',
  not_validated: 'No check has passed, or the last one failed. Check it first.',
  too_many_destinations: 'The workspace has five destinations of this type, which is the most that it may have.',
  validation_stale:
    'Its address, its name of the model or its provider was changed since the last check. Check it again.',
  workspace_slug_taken: 'Another workspace has this slug.',
};
