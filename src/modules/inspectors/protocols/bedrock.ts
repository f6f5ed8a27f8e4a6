import { amazonDomainOf } from '../../../http/addresses/amazon-domain.js';
import { isObject } from '../../../http/validation/constraints.js';
import { TextField } from '../../../http/validation/fields.js';
import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';
import { listOf, objectOf, textOf } from './answer-parts.js';
import { type InspectionProtocol, isOfAnswer, PASS } from './inspection-protocol.js';

/** The settings of inspectors of the protocol `bedrock`. */
export class BedrockInspectorSettings {
  @TextField({
    description: 'The region of the guardrail.',
    example: 'eu-central-1',
    pattern: '^[a-z]{2}(?:-[a-z]{1,16}){1,3}-[0-9]{1,2}$',
  })
  region: string;

  @TextField({
    description: 'The id of the guardrail, or its ARN.',
    example: 'gr0123456789',
    pattern: '^[A-Za-z0-9:/_-]{1,2048}$',
  })
  guardrail_id: string;

  @TextField({
    description: 'The version of the guardrail.',
    example: '1',
    pattern: '^(?:DRAFT|[1-9][0-9]{0,7})$',
    optional: true,
    default: 'DRAFT',
  })
  guardrail_version?: string;
}

/** What a policy has found, and what is done about it. */
interface Finding {
  readonly action: unknown;
  readonly name: string;
}

/** ApplyGuardrail of Amazon Bedrock (docs/interface/inspectors.md#services). */
export const BEDROCK: InspectionProtocol<BedrockInspectorSettings> = {
  settings: BedrockInspectorSettings,
  most: { texts: 1, characters: 20_000 },
  isServer: true,
  isSigned: false,
  address: ({ region }) => `https://bedrock-runtime.${region}.${amazonDomainOf(region)}`,
  key: ({ region }) => ({
    isRequired: true,
    scheme: { scheme: 'aws', source: 'keys', region, service: 'bedrock' },
    header: 'authorization',
  }),

  request({ url, settings: { guardrail_id: id, guardrail_version: version = 'DRAFT' } }, { place, texts }) {
    return {
      url: `${url}/guardrail/${encodeURIComponent(id)}/version/${version}/apply`,
      body: {
        source: isOfAnswer(place) ? 'OUTPUT' : 'INPUT',
        content: texts.map((text) => ({ text: { text } })),
      },
    };
  },

  verdict(answer) {
    const { action, outputs, assessments } = objectOf(answer);
    if (action === 'NONE') return PASS;
    if (action !== 'GUARDRAIL_INTERVENED') throw new InspectorFailure('action is none of the protocol');
    const findings = listOf(assessments, 'assessments').flatMap(findingsIn);
    const others = findings.filter(({ action: done }) => done !== 'ANONYMIZED');
    if (others.length > 0 || findings.length === 0) {
      return { verdict: 'block', reason: [...new Set(others.map(({ name }) => name))].join(', ') };
    }
    const texts = listOf(outputs, 'outputs').map((output) => textOf(objectOf(output, 'an output')['text'], 'text'));
    return { verdict: 'change', texts };
  },
};

/** What the policies of a guardrail have done something about: each has lists of what it looks for. */
function findingsIn(assessment: unknown): Finding[] {
  return Object.entries(objectOf(assessment, 'an assessment')).flatMap(([policy, lists]) =>
    Object.values(isObject(lists) ? lists : {}).flatMap((list) =>
      (Array.isArray(list) ? list : []).flatMap((item: unknown): Finding[] => {
        if (!isObject(item) || item['action'] === undefined || item['action'] === 'NONE') return [];
        // Names are those of the guardrail's configuration; what they matched is not among them.
        const name = [item['type'], item['name']].find((text) => typeof text === 'string');
        return [{ action: item['action'], name: name === undefined ? policy : `${policy} ${name}` }];
      }),
    ),
  );
}
