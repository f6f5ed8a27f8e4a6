import { isObject } from '../../../http/validation/constraints.js';
import { TextField } from '../../../http/validation/fields.js';
import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';
import { objectOf } from './answer-parts.js';
import { type InspectionProtocol, isOfAnswer, PASS } from './inspection-protocol.js';

/** A part of a path of Google's. */
const NAME = '^[a-z0-9][a-z0-9_-]{0,62}$';

/** The settings of inspectors of the protocol `model-armor`. */
export class ModelArmorInspectorSettings {
  @TextField({ description: 'The project.', example: 'my-project', pattern: NAME })
  project: string;

  @TextField({ description: 'The location of the template.', example: 'europe-west4', pattern: '^[a-z0-9-]{1,63}$' })
  location: string;

  @TextField({ description: 'The id of the template.', example: 'default', pattern: '^[A-Za-z0-9_-]{1,63}$' })
  template: string;
}

const MATCH = 'MATCH_FOUND';

/** Google Model Armor (docs/interface/inspectors.md#services). */
export const MODEL_ARMOR: InspectionProtocol<ModelArmorInspectorSettings> = {
  settings: ModelArmorInspectorSettings,
  most: { texts: 1, characters: 8_000 },
  isServer: true,
  isSigned: false,
  address: ({ location }) => `https://modelarmor.${location}.rep.googleapis.com`,
  key: () => ({
    isRequired: true,
    scheme: { scheme: 'google', source: 'service-account' },
    header: 'x-goog-api-key',
  }),

  request({ url, settings: { project, location, template } }, { place, texts }) {
    const [operation, field] = isOfAnswer(place)
      ? ['sanitizeModelResponse', 'modelResponseData']
      : ['sanitizeUserPrompt', 'userPromptData'];
    return {
      url: `${url}/v1/projects/${project}/locations/${location}/templates/${template}:${operation}`,
      body: { [field]: { text: texts[0] } },
    };
  },

  verdict(answer) {
    const { filterMatchState: state, filterResults = {} } = objectOf(
      objectOf(answer)['sanitizationResult'],
      'sanitizationResult',
    );
    if (state === 'NO_MATCH_FOUND') return PASS;
    if (state !== MATCH) throw new InspectorFailure('filterMatchState is none of the protocol');
    const results = objectOf(filterResults, 'filterResults');
    const matching = Object.entries(results).flatMap(([name, result]) => (hasMatch(result) ? [name] : []));
    const text = matching.length === 1 && matching[0] === 'sdp' ? deidentifiedIn(results['sdp']) : undefined;
    return text === undefined
      ? { verdict: 'block', reason: matching.join(', ') }
      : { verdict: 'change', texts: [text] };
  },
};

/** Whether a result says that something matches: that of a filter is in a field of its own. The answer is no deeper than its bounds allow. */
function hasMatch(result: unknown): boolean {
  return isObject(result) && (result['matchState'] === MATCH || Object.values(result).some(hasMatch));
}

/** The text without what was found in it. @returns undefined where the template only looks for that */
function deidentifiedIn(sdp: unknown): string | undefined {
  const result = objectOf(sdp, 'sdp');
  const filter = isObject(result['sdpFilterResult']) ? result['sdpFilterResult'] : result;
  const { deidentifyResult: changed } = filter;
  const data = isObject(changed) && hasMatch(changed) ? changed['data'] : undefined;
  const text = isObject(data) ? data['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}
