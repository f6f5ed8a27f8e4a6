import type { InspectorEntity } from './entities/inspector.entity.js';
import { INSPECTION_PROTOCOLS } from './protocols/inspection-protocols.js';

/** What decides where requests to an inspector go. */
type Addressed = Pick<InspectorEntity, 'protocol' | 'url' | 'settings'>;

/** The address that the paths of a protocol are added to, without a slash at its end. It has one of either, which is checked when it is stored. */
export function baseOf({ protocol, url, settings }: Addressed): string {
  return (url ?? INSPECTION_PROTOCOLS[protocol].address(settings) ?? '').replace(/\/+$/, '');
}

/** Scheme, host and port of the address of an inspector (RFC 6454); empty for one that is no server. */
export function originOf(inspector: Addressed): string {
  return INSPECTION_PROTOCOLS[inspector.protocol].isServer ? new URL(baseOf(inspector)).origin : '';
}
