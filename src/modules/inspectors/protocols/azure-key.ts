import type { ProtocolKey } from './inspection-protocol.js';

/** How services of Azure AI are shown who asks: by a key, or by an application of Entra ID. */
export const AZURE_KEY: ProtocolKey = {
  isRequired: true,
  scheme: { scheme: 'entra', source: 'client-secret', resource: 'https://cognitiveservices.azure.com' },
  header: 'ocp-apim-subscription-key',
};

/** What operations of Content Safety have behind their paths. */
export const CONTENT_SAFETY_VERSION = '?api-version=2024-09-01';

/** The longest text that Content Safety takes, in characters. */
export const CONTENT_SAFETY_CHARACTERS = 10_000;
