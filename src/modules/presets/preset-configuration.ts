import type { ReasonedIssue } from '../../api/errors/issue.js';
import { jsonSizeIssues } from '../../api/input/size-rules.js';
import { type PresetInferenceRequest, systemPromptOf } from './dto/preset-inference.dto.js';

/** The fields that are content and not configuration. */
const CONTENT: ReadonlySet<string> = new Set(['messages', 'stream', 'prompt', 'input']);

/**
 * The maximum size of a configuration and its system prompt, in bytes of JSON: room for a prompt of 40,000 words. A
 * page has up to 100 versions.
 */
const MAXIMUM_CONFIGURATION_SIZE = 262_144;

/** The configuration of a version of a preset. */
export interface PresetConfiguration {
  readonly config: object;
  readonly systemPrompt: string | null;
}

/** Takes the configuration from the body of a chat completion. */
export function configurationOf(body: PresetInferenceRequest): PresetConfiguration {
  const kept = Object.entries(body).filter(([name]) => !CONTENT.has(name));
  return { config: Object.fromEntries(kept), systemPrompt: systemPromptOf(body.messages ?? []) };
}

/** Checks the size of a configuration. The issue is about the whole body. */
export function configurationIssues(configuration: PresetConfiguration): ReasonedIssue[] {
  return jsonSizeIssues('', configuration, MAXIMUM_CONFIGURATION_SIZE);
}
