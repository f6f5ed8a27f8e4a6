import type { ModelCapabilities } from '../../../src/modules/catalog/capabilities/model-capabilities.js';

/** A model at a provider: what decides what a request for it may have. */
export interface ServedModel {
  readonly model: string;
  /** The slug of the provider. */
  readonly provider: string;
  readonly protocol?: string;
  readonly capabilities?: ModelCapabilities;
}

const KEYWORDS = ['$defs', '$ref', 'anyOf', 'enum', 'format', 'items', 'properties', 'required', 'type'];

/** All that a provider of the usual form of chats may demand of a request, so that every step of the translation has something to do. */
const DEMANDING: ModelCapabilities = {
  response_formats: ['text', 'json_object', 'json_schema'],
  response_schema: { keywords: KEYWORDS, formats: ['uuid'], objects: 'complete', most_min_items: 1 },
  tool_schema: { keywords: KEYWORDS, formats: ['uuid'], objects: 'closed', most_min_items: 1 },
  strict_tool_schema: { keywords: KEYWORDS, formats: ['uuid'], objects: 'complete', most_min_items: 1 },
  tool_parameters: 'plain_object',
  root_combinators: false,
  schema_draft: '2020-12',
  array_items: 'typed',
  type_beside_alternatives: false,
  unique_tool_names: true,
  tool_search: true,
  tool_names: { longest: 16, begins_with_letter: true },
  tool_call_ids: 'alphanumeric_9',
  unique_call_ids: true,
  empty_answers: false,
  user_after_result: false,
  alternating_roles: true,
  assistant_ending: 'prefix',
  system_messages: 'one',
  developer_role: false,
  author_names: false,
  cache_marks: false,
  cache_breakpoints: false,
  list_content: ['user'],
  message_fields: ['role', 'content', 'tool_calls', 'tool_call_id'],
  media_in_results: false,
  image_types: ['image/png'],
  file_types: ['application/pdf'],
  file_names: 'required',
  most_stops: 4,
  returned_thoughts: 'demanded_text',
  thought_signatures: 'required',
};

/**
 * Models at providers of every dialect: as they are known by default, and as demanding as a provider can be. The builtin provider gets requests
 * as they are.
 */
export const SERVED_MODELS: Readonly<Record<string, ServedModel>> = {
  'openai, known': { model: 'openai/gpt-4.1', provider: 'openai' },
  'openai, perplexity': { model: 'perplexity/sonar', provider: 'perplexity' },
  'openai, demanding': { model: 'acme/writer', provider: 'acme', capabilities: DEMANDING },
  'openai, without systems': {
    model: 'acme/writer',
    provider: 'acme',
    capabilities: { ...DEMANDING, system_messages: 'none', returned_thoughts: 'text', list_content: [] },
  },
  'openai, with signatures': {
    model: 'acme/writer',
    provider: 'acme',
    capabilities: { ...DEMANDING, returned_thoughts: 'signatures', tool_call_ids: 'at_most_40' },
  },
  'openai-responses': { model: 'openai/gpt-5.5', provider: 'openai', protocol: 'openai-responses' },
  anthropic: { model: 'anthropic/claude-sonnet-4.6', provider: 'anthropic', protocol: 'anthropic' },
  gemini: { model: 'google/gemini-3-pro', provider: 'google-ai-studio', protocol: 'gemini' },
  converse: { model: 'anthropic/claude-sonnet-4.6', provider: 'amazon-bedrock', protocol: 'converse' },
  'converse, nova': { model: 'amazon/nova-pro-v1', provider: 'amazon-bedrock', protocol: 'converse' },
};
