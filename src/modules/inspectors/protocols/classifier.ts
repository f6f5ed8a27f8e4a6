import { NumberField, TextListField } from '../../../http/validation/fields.js';
import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';
import { listOf, numberOf, objectOf, textOf } from './answer-parts.js';
import { type InspectionProtocol, PASS } from './inspection-protocol.js';

const DEFAULT_THRESHOLD = 0.5;

/** The settings of inspectors of the protocol `classifier`. */
export class ClassifierInspectorSettings {
  @TextListField({
    description: 'The labels that block, in any case.',
    example: ['INJECTION', 'JAILBREAK'],
    minItems: 1,
    maxItems: 100,
    items: { minLength: 1, maxLength: 100 },
  })
  labels: string[];

  @NumberField({
    description: 'The score that they have together from which a text is blocked.',
    example: DEFAULT_THRESHOLD,
    exclusiveMinimum: 0,
    maximum: 1,
    optional: true,
    default: DEFAULT_THRESHOLD,
  })
  threshold?: number;
}

/** Classifiers of text by text-embeddings-inference, such as Prompt Guard (docs/interface/inspectors.md#services). */
export const CLASSIFIER: InspectionProtocol<ClassifierInspectorSettings> = {
  settings: ClassifierInspectorSettings,
  // What models of 512 tokens see of a text.
  most: { texts: 16, characters: 1_500 },
  isServer: true,
  isSigned: false,
  address: () => undefined,
  key: () => ({ isRequired: false, header: 'authorization' }),

  // Two texts in one list would be a pair, of which a batch has one each.
  request({ url }, { texts }) {
    return { url: `${url}/predict`, body: { inputs: texts.map((text) => [text]), truncate: true } };
  },

  verdict(answer, { texts }, { labels, threshold = DEFAULT_THRESHOLD }) {
    const predictions = listOf(answer, 'the answer');
    if (predictions.length !== texts.length) throw new InspectorFailure('there are not as many predictions as texts');
    const blocking = new Set(labels.map((label) => label.toUpperCase()));
    const found = predictions.flatMap((prediction) => {
      const scores = listOf(prediction, 'a prediction').map((item) => {
        const { label, score } = objectOf(item, 'a label');
        return { label: textOf(label, 'label').toUpperCase(), score: numberOf(score, 'score') };
      });
      if (scores.length === 0) throw new InspectorFailure('a prediction has no labels');
      const counting = scores.filter(({ label }) => blocking.has(label));
      const sum = counting.reduce((total, { score }) => total + score, 0);
      return sum >= threshold ? counting.map(({ label }) => label) : [];
    });
    return found.length === 0 ? PASS : { verdict: 'block', reason: [...new Set(found)].join(', ') };
  },
};
