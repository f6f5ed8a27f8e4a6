import { TextField } from '../../../http/validation/fields.js';
import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';
import { flagOf, listOf, objectOf, textOf } from './answer-parts.js';
import { type InspectionProtocol, PASS, roleOf } from './inspection-protocol.js';
import { type FoundSpan, masked } from './masked-spans.js';

/** What the names of detectors of personal data begin with. */
const PERSONAL_DATA = 'pii/';

/** The settings of inspectors of the protocol `lakera`. */
export class LakeraInspectorSettings {
  @TextField({
    description: 'The project, whose policy applies; that of the account if absent.',
    example: 'project-0123456789',
    minLength: 1,
    maxLength: 100,
    optional: true,
  })
  project_id?: string;
}

/** Lakera Guard, version 2 (docs/interface/inspectors.md#services). */
export const LAKERA: InspectionProtocol<LakeraInspectorSettings> = {
  settings: LakeraInspectorSettings,
  most: { texts: 16, characters: 20_000 },
  isServer: true,
  isSigned: false,
  address: () => 'https://api.lakera.ai',
  key: () => ({ isRequired: true, header: 'authorization' }),

  request({ url, settings: { project_id } }, input) {
    const role = roleOf(input);
    return {
      url: `${url}/v2/guard`,
      body: {
        messages: input.texts.map((content) => ({ role, content })),
        payload: true,
        breakdown: true,
        ...(project_id !== undefined && { project_id }),
      },
    };
  },

  verdict(answer, { texts }) {
    const { flagged, breakdown = [], payload = [] } = objectOf(answer);
    if (!flagOf(flagged, 'flagged')) return PASS;
    const detectors = listOf(breakdown, 'breakdown').flatMap((item) => {
      const { detector_type: type, detected } = objectOf(item, 'a detector');
      return flagOf(detected, 'detected') ? [textOf(type, 'detector_type')] : [];
    });
    const found = listOf(payload, 'payload').map((item) => objectOf(item, 'an item of payload'));
    const isPersonalDataAlone =
      detectors.length > 0 && found.length > 0 && detectors.every((type) => type.startsWith(PERSONAL_DATA));
    if (!isPersonalDataAlone) return { verdict: 'block', reason: [...new Set(detectors)].join(', ') };
    const spans = texts.map((): FoundSpan[] => []);
    for (const { message_id: index, start, end, detector_type: type } of found) {
      const ofText = typeof index === 'number' ? spans[index] : undefined;
      if (ofText === undefined) throw new InspectorFailure('message_id is none of a message');
      ofText.push({ start, end, kind: textOf(type, 'detector_type').replace(PERSONAL_DATA, '') });
    }
    return { verdict: 'change', texts: texts.map((text, index) => masked(text, spans[index]!)) };
  },
};
