import type { InspectorEntity, SecretMasks } from './entities/inspector.entity.js';
import type { InspectionWindow } from './inspector-vocabulary.js';

/** What of an answer an inspector sees at a time. */
export function windowOf({
  windowCharacters: characters,
  windowOverlap: overlap,
}: Pick<InspectorEntity, 'windowCharacters' | 'windowOverlap'>): InspectionWindow {
  return characters === null || overlap === null ? 'whole' : { characters, overlap };
}

/** The masks of the secrets of an inspector by the names of the interface. */
export function shownMasks({ apiKey, signingSecret, headers }: SecretMasks): {
  readonly api_key: string | null;
  readonly signing_secret: string | null;
  readonly headers: Readonly<Record<string, string>>;
} {
  return { api_key: apiKey, signing_secret: signingSecret, headers };
}
