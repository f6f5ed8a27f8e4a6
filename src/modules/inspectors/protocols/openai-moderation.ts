import { TextField, TextListField } from '../../../http/validation/fields.js';
import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';
import { flagOf, listOf, objectOf } from './answer-parts.js';
import { type InspectionProtocol, PASS } from './inspection-protocol.js';

const DEFAULT_MODEL = 'omni-moderation-latest';

/** The settings of inspectors of the protocol `openai-moderation`. */
export class OpenAiModerationInspectorSettings {
  @TextField({
    description: 'The model.',
    example: DEFAULT_MODEL,
    minLength: 1,
    maxLength: 100,
    optional: true,
    default: DEFAULT_MODEL,
  })
  model?: string;

  @TextListField({
    description: 'The categories that block; all if absent.',
    example: ['violence', 'self-harm'],
    minItems: 1,
    maxItems: 32,
    items: { minLength: 1, maxLength: 64 },
    optional: true,
  })
  categories?: string[];
}

/** OpenAI's moderation, which other servers have too (docs/interface/inspectors.md#services). */
export const OPENAI_MODERATION: InspectionProtocol<OpenAiModerationInspectorSettings> = {
  settings: OpenAiModerationInspectorSettings,
  most: { texts: 16, characters: 20_000 },
  isServer: true,
  isSigned: false,
  address: () => 'https://api.openai.com/v1',
  key: () => ({ isRequired: false, header: 'authorization' }),

  request({ url, settings: { model = DEFAULT_MODEL } }, { texts }) {
    return { url: `${url}/moderations`, body: { model, input: texts } };
  },

  verdict(answer, { texts }, { categories: asked }) {
    const results = listOf(objectOf(answer)['results'], 'results');
    if (results.length !== texts.length) throw new InspectorFailure('there are not as many results as texts');
    const wanted = asked && new Set(asked);
    const blocking = results.flatMap((item) => {
      const { flagged, categories } = objectOf(item, 'a result');
      const found = Object.entries(objectOf(categories, 'categories')).flatMap(([name, is]) =>
        is === true ? [name] : [],
      );
      if (wanted !== undefined) return found.filter((name) => wanted.has(name));
      return flagOf(flagged, 'flagged') ? [...found, ...(found.length === 0 ? ['flagged'] : [])] : [];
    });
    return blocking.length === 0 ? PASS : { verdict: 'block', reason: [...new Set(blocking)].join(', ') };
  },
};
