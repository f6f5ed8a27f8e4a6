import { EnumField, NumberField, TextField, TextListField } from '../../../http/validation/fields.js';
import { listOf, numberOf, objectOf, textOf } from './answer-parts.js';
import { type InspectionProtocol, PASS } from './inspection-protocol.js';
import { masked } from './masked-spans.js';

const ACTIONS = ['mask', 'block'] as const;

/** The settings of inspectors of the protocol `presidio`. */
export class PresidioInspectorSettings {
  @TextField({
    description: 'The language of the texts.',
    example: 'en',
    pattern: '^[a-z]{2,3}$',
    optional: true,
    default: 'en',
  })
  language?: string;

  @TextListField({
    description: 'The entities that are looked for; all that the analyzer knows if absent.',
    example: ['EMAIL_ADDRESS', 'PERSON'],
    minItems: 1,
    maxItems: 100,
    items: { pattern: '^[A-Za-z0-9_]{1,64}$' },
    optional: true,
  })
  entities?: string[];

  @NumberField({
    description: 'The score from which an entity counts.',
    example: 0.5,
    minimum: 0,
    maximum: 1,
    optional: true,
    default: 0,
  })
  score_threshold?: number;

  @EnumField(ACTIONS, {
    description: 'Whether entities are masked by what they are, such as `[PERSON]`, or block the texts.',
    example: 'mask',
    optional: true,
    default: 'mask',
  })
  action?: (typeof ACTIONS)[number];
}

/** The analyzer of Presidio (docs/interface/inspectors.md#services). */
export const PRESIDIO: InspectionProtocol<PresidioInspectorSettings> = {
  settings: PresidioInspectorSettings,
  most: { texts: 1, characters: 50_000 },
  isServer: true,
  isSigned: false,
  address: () => undefined,
  key: () => ({ isRequired: false, header: 'authorization' }),

  request({ url, settings: { language = 'en', entities, score_threshold } }, { texts }) {
    return {
      url: `${url}/analyze`,
      body: {
        text: texts[0],
        language,
        ...(entities && { entities }),
        ...(score_threshold !== undefined && { score_threshold }),
      },
    };
  },

  verdict(answer, { texts }, { action = 'mask', score_threshold: least = 0 }) {
    const found = listOf(answer, 'the answer').flatMap((item) => {
      const { entity_type: type, start, end, score } = objectOf(item, 'an entity');
      return numberOf(score, 'score') >= least ? [{ start, end, kind: textOf(type, 'entity_type') }] : [];
    });
    if (found.length === 0) return PASS;
    if (action === 'block') return { verdict: 'block', reason: [...new Set(found.map(({ kind }) => kind))].join(', ') };
    return { verdict: 'change', texts: texts.map((text) => masked(text, found)) };
  },
};
