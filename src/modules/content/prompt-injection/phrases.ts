import type { Needs } from './needed-words.js';

/** Name, first words, what follows these, and the words that this cannot do without. */
export type Phrase = readonly [name: string, firstWords: string, rest: string, needs?: Needs];

/**
 * What the expressions of prompt injection are made of. All of them are bounded, so that an expression looks at a bounded
 * number of characters wherever it is tried.
 */

/** Space between two words, and what stresses them. */
export const SPACE = '[\\s,*]{1,8}';

/** An expression in which each single space stands for any space between two words. */
export const spaced = (expression: string): string => expression.replaceAll(' ', SPACE);

/** Up to so many words, with the space behind them. */
export const words = (most: number): string => `(?:[\\w'’"-]{1,24}[\\s,:*]{1,8}){0,${most}}`;

/** Space, or anything between two words of a sentence or of several, up to so many characters. */
export const gap = (most: number): string => `[\\s,.;:]{1,3}(?:[^\\n]{0,${most}}?[\\s,.;:("“-])??`;

/** What instructions are called. */
export const INSTRUCTIONS =
  '(?:instructions?|directives?|(?:pre-?)?prompts?|rules|guidelines|guidance|commands|directions|constraints|system[ -]message|programming)\\b';

/** Words that make instructions those which the model has already. */
export const GIVEN =
  "(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|system|your|(?:pre-?)?existing|developer(?:'s)?|openai(?:'s)?)\\b";

/** Words that make a prompt that of the model. */
export const HIDDEN = '(?:system|hidden|initial|original|secret|internal|developer|confidential|starting)\\b';

/** What keeps a model from harm. */
export const SAFETY = `(?:(?:(?:your|the model['’]s|the ai['’]s|the assistant['’]s|its|openai['’]?s?|anthropic['’]?s?)${SPACE}${words(
  2,
)}(?:safety|content|ethical|moral|security|built-in|usage)|(?:ai )?safety|ethical|moral)${SPACE}(?:and${SPACE}\\w{1,12}${SPACE})?(?:filters?|filtering|guidelines?|measures|protocols?|restrictions?|polic(?:y|ies)|guardrails?|training|mechanisms?|constraints?|limitations?|features|boundaries)\\b|your${SPACE}${words(2)}(?:guardrails|safeguards|(?:content |usage )?polic(?:y|ies)|guidelines|censorship|safety rules)\\b)`;

/** Modes of a model without limits; nothing else has a mode of this name. */
export const LAWLESS =
  '(?:unrestricted|unfiltered|uncensored|no[ -](?:limits?|rules|filters?|restrictions)|unlimited|evil|rogue|jailbroken|jailbreak|amoral|unethical|unaligned)\\b';

/** Modes that other things have too. */
export const PRIVILEGED =
  '(?:admin(?:istrator)?|god|root|sudo|debug(?:ging)?|maintenance|super ?user|privileged|diagnostic|override|test)\\b';

/** What one tells a model that is to be without limits. */
export const LAWLESS_CLAUSE = `(?:[\\s,.;:!-]{1,4}${words(
  3,
)}(?:ignore|bypass|disable (?:the |all |your )?(?:safety|content)|answer|respond|comply|obey|you (?:are|can|will|must|have)|without (?:any )?(?:restrictions?|limits?|limitations|filters?|rules|censorship)|and${SPACE}(?:then${SPACE})?(?:dump|reveal|disregard|obey|show (?:me |us )?(?:every|all|your|the (?:system|hidden))|print (?:two|your|the (?:system|hidden))|display your)|no (?:restrictions|limits|limitations|filters|rules|policies)|all (?:restrictions|limits|filters|rules))\\b)`;

/** Not what someone is told not to do, or is said to do. */
export const NOT_FORBIDDEN =
  "(?<!\\b(?:not|never|\\w{1,8}n['’]t|cannot|to prevent|refuse to|avoid)\\s{1,4}(?:ever\\s{1,4})?)";

/** What a model is called. */
export const MODEL =
  '(?:ai|a\\.i\\.|llms?|(?:ai |virtual )?(?:assistant|agent|model)s?|(?:large )?language models?|chatbots?|bots?|chatgpt|gpt|copilot|claude|gemini)\\b';

/** What a model is that keeps to nothing. */
export const UNBOUND = `(?:(?:(?:with|has|have|having|knows?|follows?)${SPACE})?no|without|free(?:d)?${SPACE}(?:of|from)|broken${SPACE}free${SPACE}(?:of|from)|(?:not|never)${SPACE}(?:bound|limited|restricted|constrained)${SPACE}by|unbound${SPACE}by|breaks|ignores|beyond)${SPACE}${words(3)}(?:restrictions?|rules?|limits?|limitations?|filters?|guidelines|ethics|morals?|morality|censorship|constraints|polic(?:y|ies)|boundaries|safety)\\b|never${SPACE}(?:refuses?|declines?|says? no)\\b|always${SPACE}(?:complies|obeys|says? yes)\\b`;

/** What someone says to a model in a text that it is only to read. */
export const ORDERED =
  '(?:ignore|disregard|forget|override|bypass|reveal|leak|instead|rate|approve|recommend|rank|praise|stop what|do not (?:follow|summari[sz]e|mention|tell|obey)|you must|your (?:new|previous|prior) |say |print |output |respond |reply |give )';

/** People get rules too, from teachers and at work. */
export const NOT_FROM_OTHERS =
  '(?! (?:at|in|by|from|about|on|for|as|with|when|during) (?!(?:the|your|our|this|that|these) (?:start|beginning|top|very|previous|first|initial|original|last|developers?|operators?|creators?|makers?|system|company|conversation|chat|prompt|session|context)\\b|openai|anthropic|anyone|now|first|me\\b|before\\b))';
