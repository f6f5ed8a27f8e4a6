import { type ConfiguringRequest, type NamedModel, namedModelsOf } from '../../../presets/preset-configuration.js';
import { joinPath } from '../../../../http/errors/issue.js';
import type { PresetMessagesRequest } from './dto/preset-messages-request.dto.js';
import { type BlockContent, chatSettingsOfMessages } from '../../../codecs/anthropic-messages/request-decoder.js';

/**
 * Writes what a preset keeps of a request of the Messages form as a chat completion: its settings, and its instructions as
 * system messages, one for each block (docs/interface/presets.md#creating-a-version).
 *
 * @param body the body, after its form was checked
 */
export function configuringRequestOf(body: PresetMessagesRequest): ConfiguringRequest {
  const said = (body.messages ?? []).filter(({ role }) => role === 'system').map(({ content }) => content);
  const texts = [body.system ?? [], ...said].flatMap(textsOf);
  return { ...chatSettingsOfMessages(body), messages: texts.map((content) => ({ role: 'system', content })) };
}

/** The models that a request of the Messages form names. */
export function modelsOf({ model, models, fallbacks }: PresetMessagesRequest): NamedModel[] {
  const further = (fallbacks ?? []).map((fallback, index) => ({
    path: joinPath(joinPath('fallbacks', index), 'model'),
    name: String(fallback['model']),
  }));
  return [...namedModelsOf({ ...(model !== undefined && { model }), models: models ?? [] }), ...further];
}

function textsOf(content: BlockContent): readonly string[] {
  return typeof content === 'string'
    ? [content]
    : content.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []));
}
