import type { ChatOperation, ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import { REASONING_EFFORTS } from '../../catalog/model-vocabulary.js';
import type { ChatRequest, Reasoning, ReasoningEffort } from '../chat/chat-completion.js';
import { nonEmptyText, objectOf } from '../chat/json-values.js';
import { messagesFieldsOf, withMessagesFields } from '../chat/messages-fields.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import { EFFORT_SHARES, nearestEffort } from '../chat/effort-shares.js';

/** The words that every provider knows which has words for an effort. */
const COMMON_EFFORTS: readonly ReasoningEffort[] = ['high', 'medium', 'low'];

/** What decides how a request may ask its model to think. */
interface ReasoningContext {
  readonly capabilities: ModelCapabilities;
  /** The operation of the provider that is called. */
  readonly operation: ChatOperation;
  readonly adjustments: RequestAdjustments;
}

/**
 * How a model is asked to think, in the form and with the words that it knows (docs/interface/capabilities.md#reasoning).
 *
 * @returns undefined if it is asked for nothing
 */
export function translatedReasoning(request: ChatRequest, context: ReasoningContext): Reasoning | undefined {
  const reasoning = request.reasoning ?? undefined;
  const { capabilities, adjustments } = context;
  if (capabilities.reasoning?.length === 0) {
    if (reasoning !== undefined && asksToThink(reasoning)) adjustments.leftOut('reasoning', 'model_does_not_reason');
    return undefined;
  }
  const wished = wishedReasoning(request, context);
  if (!isRefusedBesideTools(wished, request, context)) return wished;
  // Without a word for none the field can only be left out.
  const canRest = capabilities.reasoning_efforts?.includes('none') !== false;
  if (canRest) adjustments.changed('reasoning', 'reasoning_not_with_tools');
  else if (wished !== undefined) adjustments.leftOut('reasoning', 'reasoning_not_with_tools');
  return canRest ? { ...wished, effort: 'none' } : undefined;
}

/** Whether a request would have its model think beside tools, and an operation refuses that. Who asks for no thoughts wants none. */
export function isKeptFromThinking(
  request: ChatRequest,
  capabilities: ModelCapabilities,
  operation: ChatOperation,
): boolean {
  if (capabilities.reasoning?.length === 0 || isDisabled(request.reasoning)) return false;
  // What the translation for another operation would change is not what happens to the request.
  const context = { capabilities, operation, adjustments: new RequestAdjustments() };
  return isRefusedBesideTools(wishedReasoning(request, context), request, context);
}

function wishedReasoning(request: ChatRequest, context: ReasoningContext): Reasoning | undefined {
  const reasoning = request.reasoning ?? undefined;
  if (reasoning === undefined) return undefined;
  if (context.operation === 'generate_content' && context.capabilities.reasoning?.includes('budget') === true) {
    return asBudget(reasoning, request, context);
  }
  return context.operation === 'messages'
    ? inMessagesForm(reasoning, request, context)
    : asEffort(reasoning, request, context);
}

function isRefusedBesideTools(
  wished: Reasoning | undefined,
  { tools }: ChatRequest,
  { capabilities, operation }: ReasoningContext,
): boolean {
  const { reasoning_with_tools: operations, default_effort: standard = 'none' } = capabilities;
  if (operations === undefined || operations.includes(operation) || (tools?.length ?? 0) === 0) return false;
  return (wished?.effort ?? standard) !== 'none';
}

/** Whether the Messages form says that the model shall not think. */
function isDisabled(reasoning: Reasoning | null | undefined): boolean {
  return objectOf(messagesFieldsOf(reasoning)['thinking'])?.['type'] === 'disabled';
}

/** Whether a model thinks before it answers, as far as is known. */
export function thinks(reasoning: Reasoning | undefined, { default_effort: standard }: ModelCapabilities): boolean {
  return (reasoning?.effort ?? standard ?? 'none') !== 'none';
}

function asksToThink({ effort, max_tokens: budget, enabled }: Reasoning): boolean {
  return enabled === true || budget != null || (effort != null && effort !== 'none');
}

/** The effort in words: what the operation for chats of the usual form takes. */
function asEffort(
  reasoning: Reasoning,
  request: ChatRequest,
  { capabilities, adjustments }: ReasoningContext,
): Reasoning | undefined {
  const { reasoning_efforts: words } = capabilities;
  const { effort, max_tokens: budget, enabled, ...others } = reasoning;
  const known = wordsOf(words);
  // Who says in the Messages form that a model that thinks by itself shall not has said so to providers of this form too.
  if (capabilities.thinking_switch !== undefined && isDisabled(reasoning)) return { ...others, effort: 'none' };
  if (enabled === false || effort != null) {
    const asked = enabled === false ? 'none' : effort!;
    // A word is not judged where nothing is known; `max` is one of other forms.
    const word = known === undefined ? (asked === 'max' ? 'xhigh' : asked) : nearestWord(asked, known);
    if (word !== asked) adjustments.changed('reasoning.effort', 'effort_not_known');
    return { ...others, effort: word };
  }
  if (budget != null) {
    const word = effortOfBudget(budget, request, known ?? COMMON_EFFORTS);
    adjustments.changed('reasoning.max_tokens', 'budget_as_effort');
    return { ...others, effort: word };
  }
  return enabled === true ? { ...others, effort: nearestWord('medium', known ?? COMMON_EFFORTS) } : undefined;
}

/** The number of tokens that leaves to the model how much it thinks, as Google's dialect says it. */
const AS_THE_MODEL_SEES_FIT = -1;

/**
 * A number of tokens, within the bounds of the model: for an effort its share of the longest answer. Zero, which asks for none, is possible
 * where the effort `none` is known.
 */
function asBudget(
  reasoning: Reasoning,
  request: ChatRequest,
  { capabilities, adjustments }: ReasoningContext,
): Reasoning | undefined {
  const { effort, max_tokens: budget, enabled, ...others } = reasoning;
  const { reasoning: forms, reasoning_budget: bounds, reasoning_efforts: words } = capabilities;
  const { minimum = 0, maximum = DEFAULT_MAXIMUM_BUDGET } = bounds ?? {};
  if (enabled === false || effort === 'none' || budget === 0 || isDisabled(reasoning)) {
    const canRest = words?.includes('none') ?? minimum === 0;
    if (!canRest) adjustments.changed('reasoning.effort', 'effort_not_known');
    return { ...others, max_tokens: canRest ? 0 : minimum };
  }
  const isFree = forms?.includes('adaptive') === true && effort == null && budget == null;
  if (isFree && asksToThink(reasoning)) return { ...others, max_tokens: AS_THE_MODEL_SEES_FIT };
  const wanted = budget ?? shareOf(effort ?? (asksToThink(reasoning) ? 'medium' : undefined), request, maximum);
  if (wanted === undefined) return undefined;
  const taken = Math.min(Math.max(wanted, minimum), maximum);
  if (budget != null && taken !== budget) {
    adjustments.changed('reasoning.max_tokens', taken < budget ? 'above_maximum' : 'below_minimum');
  }
  return { ...others, max_tokens: taken };
}

/** Tokens of thinking where nothing bounds them. */
const DEFAULT_MAXIMUM_BUDGET = 24_576;

/** The tokens of an effort: its share of the longest answer, or of the most that a model may think where that has no length. */
function shareOf(effort: ReasoningEffort | undefined, request: ChatRequest, maximum: number): number | undefined {
  const named = effort === 'max' ? 'xhigh' : effort;
  const share = EFFORT_SHARES.find(([name]) => name === named)?.[1];
  const longest = request.max_completion_tokens ?? request.max_tokens ?? maximum;
  return share === undefined ? undefined : Math.floor(share * longest);
}

/** As the Messages form has it: adaptive, with a word for the effort, or with a number of tokens. */
function inMessagesForm(
  reasoning: Reasoning,
  request: ChatRequest,
  { capabilities, adjustments }: ReasoningContext,
): Reasoning | undefined {
  const { reasoning: forms, reasoning_efforts: words } = capabilities;
  if (forms === undefined) return reasoning;
  const said = messagesFieldsOf(reasoning);
  const thinking = objectOf(said['thinking']);
  const saidEffort = effortOf(said['effort']);
  const isOff = reasoning.enabled === false || reasoning.effort === 'none' || thinking?.['type'] === 'disabled';
  if (!forms.includes('adaptive')) {
    if (saidEffort !== undefined && words === undefined)
      adjustments.leftOut('output_config.effort', 'effort_not_known');
    if (thinking?.['type'] === 'adaptive') {
      adjustments.changed('thinking', 'adaptive_as_budget');
      return { effort: saidEffort ?? 'medium' };
    }
    // What asks for an effort of the answer alone does not ask to think.
    if (saidEffort !== undefined && thinking === undefined) return undefined;
    return saidEffort === undefined ? reasoning : withMessagesFields(plain(reasoning), { thinking });
  }
  const budget = reasoning.max_tokens ?? undefined;
  if (budget !== undefined && forms.includes('budget')) return reasoning;
  if (isOff) return turnedOff(reasoning, saidEffort, capabilities, adjustments);
  const known = wordsOf(words) ?? COMMON_EFFORTS;
  if (budget !== undefined) adjustments.changed('reasoning.max_tokens', 'budget_as_effort');
  const asked =
    reasoning.effort ?? saidEffort ?? (budget === undefined ? undefined : effortOfBudget(budget, request, known));
  const effort = asked === undefined ? undefined : nearestWord(asked, known);
  if (effort !== asked) adjustments.changed('reasoning.effort', 'effort_not_known');
  // Of an effort without thinking only the effort is sent, if the request came in this form.
  const isEffortAlone = saidEffort !== undefined && thinking === undefined;
  const adaptive = thinking?.['type'] === 'adaptive' ? thinking : { type: 'adaptive' };
  return withMessagesFields<Reasoning>(effort === undefined ? { enabled: true } : { effort }, {
    thinking: isEffortAlone ? undefined : adaptive,
    effort,
  });
}

/** A model that thinks by itself has to be told not to; one that cannot be told so thinks as little as it can. */
function turnedOff(
  reasoning: Reasoning,
  saidEffort: ReasoningEffort | undefined,
  { default_effort: standard = 'none', reasoning_efforts: words }: ModelCapabilities,
  adjustments: RequestAdjustments,
): Reasoning {
  if (standard === 'none') return reasoning;
  const known = wordsOf(words) ?? COMMON_EFFORTS;
  if (known.includes('none')) {
    const off = { ...plain(reasoning), effort: 'none' as const, enabled: undefined };
    return withMessagesFields<Reasoning>(off, { thinking: { type: 'disabled' }, effort: saidEffort });
  }
  adjustments.changed('reasoning.effort', 'effort_not_known');
  const effort = saidEffort ?? nearestWord('none', known);
  return withMessagesFields<Reasoning>({ ...plain(reasoning), effort, enabled: undefined }, { effort });
}

/** Without the fields of the Messages form. */
function plain({ effort, summary, max_tokens, exclude, enabled }: Reasoning): Reasoning {
  return { effort, summary, max_tokens, exclude, enabled };
}

function effortOf(value: unknown): ReasoningEffort | undefined {
  return REASONING_EFFORTS.find((effort) => effort === nonEmptyText(value));
}

/** The words that are known; undefined where none is. */
function wordsOf(words: readonly ReasoningEffort[] | undefined): readonly ReasoningEffort[] | undefined {
  return words === undefined || words.length === 0 ? undefined : words;
}

/** The word whose share of the longest answer is nearest to a budget. Where the length is not known, the middle. */
function effortOfBudget(budget: number, request: ChatRequest, words: readonly ReasoningEffort[]): ReasoningEffort {
  const longest = request.max_completion_tokens ?? request.max_tokens ?? undefined;
  return nearestWord(longest === undefined ? 'medium' : nearestEffort(budget / longest), words);
}

/**
 * The known word nearest to one: the next weaker one before the next stronger one. Only who asks for no thinking gets none, and who asks for
 * none where that is no word gets the weakest.
 */
function nearestWord(asked: ReasoningEffort, words: readonly ReasoningEffort[]): ReasoningEffort {
  if (words.includes(asked)) return asked;
  const strength = (word: ReasoningEffort): number => -REASONING_EFFORTS.indexOf(word);
  const thinking = words.filter((word) => word !== 'none');
  const distance = (word: ReasoningEffort): number =>
    Math.abs(strength(word) - strength(asked)) + (strength(word) > strength(asked) ? 0.5 : 0);
  return thinking.toSorted((one, other) => distance(one) - distance(other))[0] ?? 'none';
}
