import { AZURE_CONTENT_SAFETY } from './azure-content-safety.js';
import { AZURE_PROMPT_SHIELDS } from './azure-prompt-shields.js';
import { BEDROCK } from './bedrock.js';
import { CLASSIFIER } from './classifier.js';
import type { InspectionProtocol, ProtocolFields } from './inspection-protocol.js';
import { LAKERA } from './lakera.js';
import { MESSAGES } from './messages.js';
import { MODEL } from './model.js';
import { MODEL_ARMOR } from './model-armor.js';
import { OPENAI_MODERATION } from './openai-moderation.js';
import { PORTKEY } from './portkey.js';
import { PRESIDIO } from './presidio.js';
import { TEXTS } from './texts.js';

const SERVERS = {
  texts: TEXTS,
  messages: MESSAGES,
  portkey: PORTKEY,
  bedrock: BEDROCK,
  'azure-content-safety': AZURE_CONTENT_SAFETY,
  'azure-prompt-shields': AZURE_PROMPT_SHIELDS,
  'model-armor': MODEL_ARMOR,
  lakera: LAKERA,
  'openai-moderation': OPENAI_MODERATION,
  presidio: PRESIDIO,
  classifier: CLASSIFIER,
} satisfies Readonly<Record<string, InspectionProtocol>>;

const PROTOCOLS = { ...SERVERS, model: MODEL } satisfies Readonly<Record<string, ProtocolFields>>;

/** How inspectors are asked, and how they answer (docs/interface/inspectors.md#protocols). */
export type InspectorProtocol = keyof typeof PROTOCOLS;

/** The protocols, the default one first. */
export const INSPECTOR_PROTOCOLS = Object.keys(PROTOCOLS) as InspectorProtocol[];

/** What inspectors have, by their protocols. */
export const INSPECTION_PROTOCOLS: Readonly<Record<InspectorProtocol, ProtocolFields>> = PROTOCOLS;

/** The protocols of servers. */
export type ServerProtocol = keyof typeof SERVERS;

const SERVER_PROTOCOLS: Readonly<Record<ServerProtocol, InspectionProtocol>> = SERVERS;

/** How the servers of a protocol are asked; undefined for that of models. */
export function serverProtocolOf(name: InspectorProtocol): InspectionProtocol | undefined {
  return name === 'model' ? undefined : SERVER_PROTOCOLS[name];
}

/** The protocol of inspectors that name none. */
export const DEFAULT_PROTOCOL: InspectorProtocol = 'texts';
