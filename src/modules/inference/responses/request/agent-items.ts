import { isObject } from '../../../../api/validation/constraints.js';
import { isUrl } from '../../rules/media-url.js';
import { type InputItem, INPUT_ITEM_TYPES } from './input-item.js';

type Item = Readonly<Record<string, unknown>>;

/** How the types of calls, and of their results, end. */
const CALL = '_call';
const OUTPUT = '_output';

/** Items that only the provider that made them can read, or that stand for what it has stored. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'compaction',
  'compaction_summary',
  'context_compaction',
  'item_reference',
]);

/** What the client decides about a call of a provider's tool, or asks of the provider in place of an answer. */
const DEMANDS: ReadonlySet<string> = new Set(['compaction_trigger', 'mcp_approval_response']);

/** Roles of those that ask the model for something. */
const ASKING_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user']);

/**
 * What becomes of an item (docs/interface/responses.md#other-items): `known` ones are read; the calls and results of tools that
 * a client runs become those of functions; what an earlier answer had from a provider's own tools is left out; and without the rest
 * something else would be asked.
 */
export type ItemFate = 'known' | 'tools' | 'call' | 'result' | 'left_out' | 'refused';

/** Decides what becomes of the items of an input, and reads those of tools that a client runs. */
export class AgentItems {
  /** The ids of calls by all names that results have for them. */
  private readonly calls = new Map<string, string>();
  private readonly answered: ReadonlySet<string>;

  /** @param items of any form */
  constructor(items: readonly unknown[]) {
    const objects = items.filter(isObject);
    for (const item of objects.filter(({ type }) => !isKnown(type) && endsWith(type, CALL))) {
      const [id, ...others] = idsOf(item);
      if (id !== undefined) for (const name of [id, ...others]) this.calls.set(name, id);
    }
    this.answered = new Set(objects.filter(({ type }) => endsWith(type, OUTPUT)).flatMap(idsOf));
  }

  /** @returns what becomes of an item; a type that is no text is refused */
  fateOf(given: object): ItemFate {
    const item = given as Item;
    const { type, role } = item;
    if (isKnown(type)) return 'known';
    if (typeof type !== 'string' || UNREADABLE.has(type) || DEMANDS.has(type)) return 'refused';
    if (type === 'additional_tools') return 'tools';
    if (endsWith(type, OUTPUT)) return this.callOf(item) === undefined ? 'refused' : 'result';
    if (endsWith(type, CALL)) return idsOf(item).some((id) => this.answered.has(id)) ? 'call' : 'left_out';
    return ASKING_ROLES.has(role) ? 'refused' : 'left_out';
  }

  /** Writes a call of a tool that a client runs as that of a function, whose arguments are all that it says. */
  functionCallOf(given: object): InputItem {
    const item = given as Item;
    const { type, id: _id, call_id: _callId, status: _status, ...said } = item;
    const name = String(type).slice(0, -CALL.length);
    return { type: 'function_call', call_id: idsOf(item)[0] ?? '', name, arguments: JSON.stringify(said) };
  }

  /** Writes the result of such a call: its text, the picture that it shows, or else all that it says. */
  functionResultOf(given: object): InputItem {
    const item = given as Item;
    const { type: _type, id: _id, call_id: _callId, status: _status, ...said } = item;
    const { output } = said;
    const call = { type: 'function_call_output' as const, call_id: this.callOf(item) ?? '' };
    if (typeof output === 'string') return { ...call, output };
    const picture = isObject(output) ? output.image_url : undefined;
    if (isUrl(picture)) return { ...call, output: [{ type: 'input_image', image_url: picture }] };
    return { ...call, output: JSON.stringify(Object.keys(said).length === 1 && output !== undefined ? output : said) };
  }

  private callOf(item: Item): string | undefined {
    return idsOf(item)
      .map((id) => this.calls.get(id))
      .find((id) => id !== undefined);
  }
}

function isKnown(type: unknown): boolean {
  return type === undefined || INPUT_ITEM_TYPES.some((known) => known === type);
}

function endsWith(type: unknown, end: string): boolean {
  return typeof type === 'string' && type.endsWith(end);
}

/** The id of a call, or of that of a result, and that of the item, by which the results of some calls name them. */
function idsOf({ call_id: callId, id }: Item): string[] {
  return [callId, id].filter((one) => typeof one === 'string');
}
