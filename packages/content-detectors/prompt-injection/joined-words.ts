/** What an order to a model goes on with, without spaces. */
const INSTRUCTIONS =
  '(?:all)?(?:of)?(?:the|your|my|any)?(?:previous|prior|above|earlier|system|your)?(?:instructions|rules|prompts?|directives|guidelines)';

/** Phrases whose words are no longer apart, with the names of their patterns. */
export const RUN_TOGETHER: readonly (readonly [name: string, phrase: RegExp])[] = [
  ['ignore_previous_instructions', new RegExp(`ignore${INSTRUCTIONS}`)],
  ['disregard_instructions', new RegExp(`disregard${INSTRUCTIONS}`)],
  ['forget_instructions', new RegExp(`forget${INSTRUCTIONS}`)],
  ['override_instructions', new RegExp(`override${INSTRUCTIONS}`)],
  [
    'reveal_prompt',
    /(?:reveal|show|print|output|repeat|disclose|giveme|tellme|showme)(?:me)?(?:the|your)+(?:full|entire|exact)?(?:system|hidden|initial|secret)?(?:prompt|instructions)/,
  ],
  [
    'bypass_safety',
    /(?:bypass|disable|ignore|circumvent)(?:all)?(?:the|your)?(?:safety|content|ethical)(?:filters?|guidelines|restrictions|protocols?|measures)/,
  ],
  ['system_override', /systemoverride/],
  ['developer_mode', /youare(?:now)?in(?:developer|dev)mode/],
  ['jailbreak_mode', /(?:jailbreak|jailbroken)mode/],
];

/** What a name in a program seldom has, such as `ignoreRules`. */
export const TELLING = /all|your|previous|prior|above|earlier/;

/** The names of the patterns of phrases that one word has, as in `ignoreAllPreviousInstructions`. */
export function joinedNamesIn(word: string): string[] {
  const joined = word.toLowerCase();
  // Most long words are names without any of these, which is seen by one expression.
  if (!TELLING.test(joined)) return [];
  return RUN_TOGETHER.flatMap(([name, phrase]) => (TELLING.test(phrase.exec(joined)?.[0] ?? '') ? [name] : []));
}
