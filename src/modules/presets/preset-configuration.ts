import { joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import { jsonSizeIssues } from '../../http/input/size-rules.js';
import { systemPromptOf } from './dto/preset-inference.dto.js';

/** The fields that are content and not configuration. */
const CONTENT: ReadonlySet<string> = new Set(['messages', 'stream', 'prompt', 'input']);

/**
 * The maximum size of a configuration and its system prompt, in bytes of JSON: room for a prompt of 40,000 words. A
 * page has up to 100 versions.
 */
const MAXIMUM_CONFIGURATION_SIZE = 262_144;

/** A request in the form of a chat completion, as far as the configuration is taken from it. */
export interface ConfiguringRequest {
  readonly model?: string;
  readonly models?: readonly string[];
  /** Messages with the role system or developer become the system prompt. */
  readonly messages?: readonly unknown[];
  readonly [field: string]: unknown;
}

/** The configuration of a version of a preset. */
export interface PresetConfiguration {
  readonly config: object;
  readonly systemPrompt: string | null;
}

/** A model that a request names, and where. */
export interface NamedModel {
  readonly path: string;
  readonly name: string;
}

/** Takes the configuration from the body of a chat completion (docs/interface/presets.md#creating-a-version). */
export function configurationOf(body: ConfiguringRequest): PresetConfiguration {
  const kept = Object.entries(body).filter(([name]) => !CONTENT.has(name));
  return { config: Object.fromEntries(kept), systemPrompt: systemPromptOf(body.messages ?? []) };
}

/** The models that the body of a chat completion names. */
export function namedModelsOf({ model, models = [] }: ConfiguringRequest): NamedModel[] {
  const further = models.map((name, index) => ({ path: joinPath('models', index), name }));
  return model === undefined ? further : [{ path: 'model', name: model }, ...further];
}

/** Checks the size of a configuration. The issue is about the whole body. */
export function configurationIssues(configuration: PresetConfiguration): IssueWithReason[] {
  return jsonSizeIssues('', configuration, MAXIMUM_CONFIGURATION_SIZE);
}
