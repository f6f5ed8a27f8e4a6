/** The `format` of reasoning_details that came from blocks of the Messages form, and can be sent back to it alone. */
export const ANTHROPIC_FORMAT = 'anthropic-claude-v1';
