const NUMBERED_ONE_AFTER_THE_OTHER = 'Versions that are made at the same time wait for each other.';

/** Error statuses of the contract that an operation need not document, and why it never answers them. */
export const NEVER_ANSWERED: Readonly<Record<string, readonly [statuses: readonly number[], reason: string]>> = {
  createPresetsChatCompletions: [[409], NUMBERED_ONE_AFTER_THE_OTHER],
  createPresetsMessages: [[409], NUMBERED_ONE_AFTER_THE_OTHER],
  createPresetsResponses: [[409], NUMBERED_ONE_AFTER_THE_OTHER],
  createResponses: [
    [402, 408, 502, 524, 529],
    'What fails at every provider is a 503, or within a stream an event; slow bodies end with their connection.',
  ],
  updateGuardrail: [[409], 'Changes that are made at the same time wait for each other.'],
  updateObservabilityDestination: [[409], 'Changes that are made at the same time wait for each other.'],
  listModelsUser: [[404], 'Every credential belongs to an organization, which has a list of models, if an empty one.'],
  listOrganizationMembers: [[404], 'Every credential belongs to an organization.'],
  createEmbeddings: [
    [402, 408, 502, 524, 529],
    'What fails at every provider is a 503; slow bodies end with their connection.',
  ],
  listGenerationContent: [[403, 502, 524, 529], 'Who may not see it gets a 404; a read asks no provider.'],
  getUserActivity: [[404], 'A key, member or workspace that there is not has no activity.'],
  getGeneration: [[402, 502, 524, 529], 'A read asks no provider, and costs nothing.'],
  createMessages: [[529], 'What fails at every provider is a 503, or within a stream an event.'],
  sendChatCompletionRequest: [
    [402, 408, 502, 524, 529],
    'What fails at every provider is a 503, or within a stream an event; slow bodies end with their connection.',
  ],
};
