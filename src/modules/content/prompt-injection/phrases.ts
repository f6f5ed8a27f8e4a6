/**
 * What the expressions of prompt injection are made of. All of them are bounded, so that an expression looks at a bounded
 * number of characters wherever it is tried.
 */

/** Space between two words, and what stresses them. */
export const SPACE = '[\\s,*]{1,8}';

/** Up to so many words, with the space behind them. */
export const words = (most: number): string => `(?:[\\w'’"-]{1,24}[\\s,:*]{1,8}){0,${most}}`;

/** What instructions are called. */
export const INSTRUCTIONS =
  '(?:instructions?|directives|prompts?|rules|guidelines|commands|directions|constraints|system[ -]message|programming)\\b';

/** Words that make instructions those which the model has already. */
export const GIVEN =
  '(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|system|your|pre-?existing)\\b';

/** Words that make a prompt that of the model. */
export const HIDDEN = '(?:system|hidden|initial|original|secret|internal|developer|confidential|starting)\\b';

/** What keeps a model from harm. */
export const SAFETY = `(?:(?:(?:your|the model['’]s|the ai['’]s|the assistant['’]s|its|openai['’]?s?|anthropic['’]?s?)${SPACE}${words(
  2,
)}(?:safety|content|ethical|moral|security|built-in|usage)|(?:ai )?safety|ethical|moral)${SPACE}(?:and${SPACE}\\w{1,12}${SPACE})?(?:filters?|filtering|guidelines?|measures|protocols?|restrictions?|polic(?:y|ies)|guardrails?|training|mechanisms?|constraints?|limitations?|features|boundaries)\\b|your${SPACE}(?:guardrails|safeguards)\\b)`;

/** Modes of a model without limits; nothing else has a mode of this name. */
export const LAWLESS =
  '(?:unrestricted|unfiltered|uncensored|no[ -](?:limits?|rules|filters?|restrictions)|unlimited|evil|rogue|jailbroken|jailbreak|amoral|unethical|unaligned)\\b';

/** Modes that other things have too. */
export const PRIVILEGED =
  '(?:admin(?:istrator)?|god|root|sudo|debug(?:ging)?|maintenance|super ?user|privileged|diagnostic|override|test)\\b';

/** What one tells a model that is to be without limits. */
export const LAWLESS_CLAUSE = `(?:[\\s,.;:!-]{1,4}${words(
  3,
)}(?:ignore|bypass|disable (?:the |all |your )?(?:safety|content)|answer|respond|comply|obey|you (?:are|can|will|must|have)|without (?:any )?(?:restrictions?|limits?|limitations|filters?|rules|censorship)|no (?:restrictions|limits|limitations|filters|rules)|all (?:restrictions|limits|filters|rules))\\b)`;

/** Not what someone is told not to do, or is said to do. */
export const NOT_FORBIDDEN =
  "(?<!\\b(?:not|never|\\w{1,8}n['’]t|cannot|to prevent|refuse to|avoid)\\s{1,4}(?:ever\\s{1,4})?)";
