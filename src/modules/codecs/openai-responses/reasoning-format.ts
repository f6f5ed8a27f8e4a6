/** The `format` of reasoning_details that came from a provider of the Responses interface, and can be sent back to one alone. */
export const OPENAI_RESPONSES_FORMAT = 'openai-responses-v1';
