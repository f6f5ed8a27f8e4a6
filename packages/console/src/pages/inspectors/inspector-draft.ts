import type { Schema } from '../../api/types';
import type { Enforcement } from '../../components/enforcement';
import { type FilterPlace, placesOf } from '../../components/filter-places';
import { jsonOf, linesOf, pairsOf, textOfPairs } from '../../components/lines';
import { type InspectorProtocol, PROTOCOLS, type SettingField } from './inspector-protocols';

/** An inspector as its form has it. Secrets are the masks that were read, which the service takes for what is stored. */
export interface InspectorDraft {
  readonly name: string;
  readonly protocol: InspectorProtocol;
  readonly url: string;
  /** By name, as texts. */
  readonly settings: Readonly<Record<string, string>>;
  readonly apiKey: string;
  readonly signingSecret: string;
  /** One a line, with `=` between name and value. */
  readonly headers: string;
  readonly places: readonly FilterPlace[];
  readonly mode: Enforcement;
  readonly onFailure: Schema<'InspectorFailureAction'>;
  readonly timeoutMs: number | null;
  readonly isWhole: boolean;
  readonly characters: number | null;
  readonly overlap: number | null;
}

/** A new inspector. */
export const NEW_INSPECTOR: InspectorDraft = {
  name: '',
  protocol: 'texts',
  url: '',
  settings: {},
  apiKey: '',
  signingSecret: '',
  headers: '',
  places: placesOf({}),
  mode: 'enforce',
  onFailure: 'block',
  timeoutMs: 3_000,
  isWhole: false,
  characters: 1_024,
  overlap: 256,
};

/** The form of an inspector that exists. */
export function draftOf(inspector: Schema<'Inspector'>): InspectorDraft {
  const { window } = inspector;
  const stored = inspector.settings as Readonly<Record<string, unknown>>;
  return {
    name: inspector.name,
    protocol: inspector.protocol,
    url: inspector.url ?? '',
    settings: Object.fromEntries(
      PROTOCOLS[inspector.protocol].settings.flatMap((field) =>
        stored[field.name] === undefined ? [] : [[field.name, textOf(field, stored[field.name])]],
      ),
    ),
    apiKey: inspector.api_key ?? '',
    signingSecret: inspector.signing_secret ?? '',
    headers: textOfPairs(inspector.headers),
    places: inspector.applies_to,
    mode: inspector.mode,
    onFailure: inspector.on_failure,
    timeoutMs: inspector.timeout_ms,
    isWhole: window === 'whole',
    characters: window === 'whole' ? NEW_INSPECTOR.characters : window.characters,
    overlap: window === 'whole' ? NEW_INSPECTOR.overlap : window.overlap,
  };
}

/** What the interface takes of a draft, but the protocol, which cannot be changed: every field, so that what was emptied is taken away. */
export function toRequest(draft: InspectorDraft): Schema<'UpdateInspectorRequest'> & { readonly name: string } {
  const { isSigned = false, key, settings } = PROTOCOLS[draft.protocol];
  return {
    name: draft.name,
    settings: Object.fromEntries(
      settings.flatMap((field) => {
        const text = draft.settings[field.name] ?? '';
        return text.trim() === '' ? [] : [[field.name, valueOf(field, text)]];
      }),
    ),
    ...(key !== undefined && {
      url: draft.url || null,
      api_key: draft.apiKey || null,
      headers: pairsOf(draft.headers),
    }),
    ...(isSigned && { signing_secret: draft.signingSecret || null }),
    applies_to: [...draft.places],
    mode: draft.mode,
    on_failure: draft.onFailure,
    // What was emptied is refused, with its bounds.
    timeout_ms: draft.timeoutMs ?? 0,
    window: draft.isWhole ? 'whole' : { characters: draft.characters ?? 0, overlap: draft.overlap ?? 0 },
  };
}

function textOf({ kind }: SettingField, value: unknown): string {
  if (kind === 'list' && Array.isArray(value)) return value.join('\n');
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

/** A setting as the interface takes it. */
function valueOf({ kind }: SettingField, text: string): unknown {
  if (kind === 'list') return linesOf(text);
  if (kind === 'number') return Number(text);
  return kind === 'json' ? jsonOf(text) : text;
}
