import { EnumListField, IntegerField, TextListField } from '../../../http/validation/fields.js';
import { listOf, numberOf, objectOf, textOf } from './answer-parts.js';
import { AZURE_KEY, CONTENT_SAFETY_CHARACTERS, CONTENT_SAFETY_VERSION } from './azure-key.js';
import { type InspectionProtocol, PASS } from './inspection-protocol.js';

const CATEGORIES = ['Hate', 'SelfHarm', 'Sexual', 'Violence'] as const;

const DEFAULT_THRESHOLD = 2;

/** The settings of inspectors of the protocol `azure-content-safety`. */
export class AzureContentSafetyInspectorSettings {
  @IntegerField({
    description: 'The severity from which texts are blocked.',
    example: DEFAULT_THRESHOLD,
    enum: [2, 4, 6],
    optional: true,
    default: DEFAULT_THRESHOLD,
  })
  threshold?: number;

  @EnumListField(CATEGORIES, {
    description: 'The categories that are looked for; all if absent.',
    example: ['Hate', 'Violence'],
    minItems: 1,
    optional: true,
  })
  categories?: (typeof CATEGORIES)[number][];

  @TextListField({
    description: 'The names of blocklists, a match of which blocks too.',
    example: ['competitors'],
    maxItems: 10,
    items: { minLength: 1, maxLength: 64 },
    optional: true,
  })
  blocklists?: string[];
}

/** Text moderation of Azure AI Content Safety (docs/interface/inspectors.md#services). */
export const AZURE_CONTENT_SAFETY: InspectionProtocol<AzureContentSafetyInspectorSettings> = {
  settings: AzureContentSafetyInspectorSettings,
  most: { texts: 1, characters: CONTENT_SAFETY_CHARACTERS },
  isServer: true,
  isSigned: false,
  address: () => undefined,
  key: () => AZURE_KEY,

  request({ url, settings: { categories, blocklists } }, { texts }) {
    return {
      url: `${url}/contentsafety/text:analyze${CONTENT_SAFETY_VERSION}`,
      body: {
        text: texts[0],
        outputType: 'FourSeverityLevels',
        ...(categories && { categories }),
        ...(blocklists && { blocklistNames: blocklists, haltOnBlocklistHit: true }),
      },
    };
  },

  verdict(answer, _, { threshold = DEFAULT_THRESHOLD }) {
    const { categoriesAnalysis, blocklistsMatch = [] } = objectOf(answer);
    if (listOf(blocklistsMatch, 'blocklistsMatch').length > 0) return { verdict: 'block', reason: 'blocklist' };
    const severe = listOf(categoriesAnalysis, 'categoriesAnalysis').flatMap((item) => {
      const { category, severity } = objectOf(item, 'a category');
      return numberOf(severity, 'severity') >= threshold ? [textOf(category, 'category')] : [];
    });
    return severe.length === 0 ? PASS : { verdict: 'block', reason: severe.join(', ') };
  },
};
