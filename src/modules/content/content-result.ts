import type { BuiltinSlug, FilterAction, FilterPlace } from './content-filters.js';

/** A text of a request, in the order in which the request has them. */
export interface ScannedText {
  /** Who says it; `input` is that of an operation without messages, which counts as the user's. */
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'input';
  readonly text: string;
  /** The arguments of a tool call, and what describes tools, are JSON and stay JSON. An address of media, or a header, is no text of the prompt. */
  readonly kind: 'text' | 'tool_arguments' | 'address';
  /** What a provider may get in front of the text, such as the name of its author: it is read with the text, and stays as it is. */
  readonly lead?: string;
}

/** The filter that a finding is of. A custom one is known by its position in the policy. */
export type FilterName = { readonly slug: BuiltinSlug } | { readonly custom: number; readonly label: string | null };

/** What a filter has found in a request or an answer. It never holds what was matched. */
export interface Finding {
  readonly filter: FilterName;
  readonly action: FilterAction;
  readonly guardrailIds: readonly string[];
  /** Where in an answer it was found; absent for a request. */
  readonly place?: Extract<FilterPlace, 'response' | 'tool_call'>;
  /** The number of matches; zero if the filter was not available. */
  readonly count: number;
  /** How many of the matches are in results of tools; absent where none is. */
  readonly inToolResults?: number;
  /** The names of the patterns that matched, for regex-prompt-injection. */
  readonly patterns?: readonly string[];
  /** The analyzer or the classifier failed, and the deployment lets such requests pass (CONTENT_ANALYZER_ON_FAILURE and so on). */
  readonly unavailable?: true;
}

/** Where a filter has matched: in UTF-16 code units of the text as it was given, the end excluded. It never holds what was matched. */
export interface TextMatch {
  /** The position of the text among those that were scanned. */
  readonly textIndex: number;
  readonly start: number;
  readonly end: number;
  readonly filter: FilterName;
  readonly action: FilterAction;
  /** The name of the pattern, for regex-prompt-injection. */
  readonly pattern?: string;
}

/** Called with each match in a text when it is found. */
export type OnTextMatch = (match: TextMatch) => void;

/** Why a request is refused. */
export interface Refusal {
  readonly reason: 'content_blocked' | 'prompt_injection_detected';
  readonly filter: FilterName;
  /** What the message names: the placeholder of a builtin filter, the label of a custom one, or `[BLOCKED]`. */
  readonly label: string;
  readonly guardrailIds: readonly string[];
  /** The names of the patterns that matched, for regex-prompt-injection. */
  readonly patterns?: readonly string[];
}

/** What the filters of a policy make of the texts of a request. */
export interface ContentResult {
  /** Null: the request may go on. */
  readonly blocked: Refusal | null;
  /**
   * The texts to use from here on, in the order given: what was redacted is in none of them. Empty if the request is
   * blocked, for what was blocked is to go nowhere.
   */
  readonly texts: readonly string[];
  /** Of each filter that has found something: the builtin ones, those that need the analyzer, then the custom ones. */
  readonly findings: readonly Finding[];
}
