import type { InspectionProtocol } from './inspection-protocol.js';
import { TEXTS } from './texts.js';

const PROTOCOLS = {
  texts: TEXTS,
} satisfies Readonly<Record<string, InspectionProtocol>>;

/** How inspectors are asked, and how they answer (docs/interface/inspectors.md#protocols). */
export type InspectorProtocol = keyof typeof PROTOCOLS;

/** The protocols, the default one first. */
export const INSPECTOR_PROTOCOLS = Object.keys(PROTOCOLS) as InspectorProtocol[];

export const INSPECTION_PROTOCOLS: Readonly<Record<InspectorProtocol, InspectionProtocol>> = PROTOCOLS;

/** The protocol of inspectors that name none. */
export const DEFAULT_PROTOCOL: InspectorProtocol = 'texts';
