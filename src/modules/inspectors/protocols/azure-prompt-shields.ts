import { InspectorFailure } from '../../content/inspectors/remote-inspection.js';
import { flagOf, listOf, objectOf } from './answer-parts.js';
import { AZURE_KEY, CONTENT_SAFETY_CHARACTERS, CONTENT_SAFETY_VERSION } from './azure-key.js';
import { type InspectionProtocol, NoInspectorSettings, PASS } from './inspection-protocol.js';

/** Prompt Shields of Azure AI Content Safety (docs/interface/inspectors.md#services). */
export const AZURE_PROMPT_SHIELDS: InspectionProtocol<NoInspectorSettings> = {
  settings: NoInspectorSettings,
  most: { texts: 1, characters: CONTENT_SAFETY_CHARACTERS },
  isServer: true,
  isSigned: false,
  address: () => undefined,
  key: () => AZURE_KEY,

  // Whatever no user has said may have instructions of others in it.
  request({ url }, { place, texts }) {
    return {
      url: `${url}/contentsafety/text:shieldPrompt${CONTENT_SAFETY_VERSION}`,
      body: place === 'request' ? { userPrompt: texts[0], documents: [] } : { userPrompt: '', documents: texts },
    };
  },

  verdict(answer, { place }) {
    const { userPromptAnalysis, documentsAnalysis } = objectOf(answer);
    const analyses =
      place === 'request' ? [userPromptAnalysis] : listOf(documentsAnalysis, 'documentsAnalysis').slice(0, 1);
    if (analyses.length === 0) throw new InspectorFailure('documentsAnalysis is empty');
    const isAttack = analyses.some((item) => flagOf(objectOf(item, 'an analysis')['attackDetected'], 'attackDetected'));
    return isAttack ? { verdict: 'block', reason: 'attack' } : PASS;
  },
};
