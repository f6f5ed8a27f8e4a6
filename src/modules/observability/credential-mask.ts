import { DESTINATION_SETTINGS } from './destination-settings.js';
import type { DestinationType } from './destination-type.js';

/** A destination's connection settings, by the contract's names. */
export type DestinationConfig = Readonly<Record<string, unknown>>;

/** The shortest credential that is shown in part; a shorter one would be given away by its ends. */
const SHORTEST_SHOWN = 9;

const MASK = /^(?:\*{4}|.{4}\.{3}.{4})$/su;

/** A configuration with every credential masked (SERVICE.md, section 2.10). */
export function maskConfig(type: DestinationType, config: DestinationConfig): DestinationConfig {
  const settings = DESTINATION_SETTINGS[type];
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (name === 'headers') return [name, maskEveryValue(value)];
      return [name, settings[name]?.credential ? mask(value) : value];
    }),
  );
}

/** `abcd...wxyz`, or `****` for what is too short for that. Characters are code points. */
export function maskCredential(credential: string): string {
  const characters = [...credential];
  if (characters.length < SHORTEST_SHOWN) return '****';
  return `${characters.slice(0, 4).join('')}...${characters.slice(-4).join('')}`;
}

/** Whether a text has the form of a mask, whatever it may be the mask of. */
export function isMask(text: string): boolean {
  return MASK.test(text);
}

function maskEveryValue(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return mask(headers);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]));
}

function mask(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  return typeof value === 'string' ? maskCredential(value) : '****';
}
