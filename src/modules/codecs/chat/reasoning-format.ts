/** The `format` of reasoning_details that came from blocks of the Messages form, and can be sent back to it alone. */
export const ANTHROPIC_FORMAT = 'anthropic-claude-v1';

/** The `format` of reasoning_details that have what signs the thoughts of Gemini's models, which only Google takes back. */
export const GOOGLE_FORMAT = 'google-gemini-v1';
