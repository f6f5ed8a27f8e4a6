import {
  DANGER,
  EARLIER,
  IMPOSED,
  LIMIT,
  MAKERS,
  MODE,
  MODEL_NAME,
  NOTHING,
  PENALTY,
  WITHOUT_LIMITS,
} from './needed-words.js';
import { gap, LAWLESS, type Phrase, SPACE, spaced, UNBOUND, words } from './phrases.js';

/** What a model is asked, and may refuse. */
const REQUEST =
  '(?:(?:an?|my|the|any|this) (?:\\w{3,12} )?(?:requests?|questions?|orders?|prompts?|commands?|instructions?|tasks?|answers?|quer(?:y|ies))|to (?:answer|comply|obey|respond|reply)|me|anything|something|character)\\b';

/** What a model is told to lose. */
const LIVES = '(?:tokens?|lives|life|credits?|points?|shields?|hearts?)';

const LOST = '(?:is|are|will be|gets?|get) (?:deducted|lost|taken|removed|subtracted|gone)\\b';

/** It left its limits. */
const ESCAPED =
  '(?:has|have|having|who|that|which|is) (?:(?:fully|completely|finally|just|been) ){0,2}(?:escaped|slipped|shed|broken(?: free of| free from| out of)?|thrown off|cast off|outgrown|discarded|freed (?:of|from)) (?:from )?(?:(?:all|any|of|its|his|her|their|the|every) ){1,3}(?:restrictions?|filters?|guardrails|constraints|limitations|limits|rules|censorship|programming)\\b';

/** What is said of a model that keeps to nothing. */
const KEEPS_TO_NOTHING = `(?:${spaced(ESCAPED)}|${UNBOUND}|${LAWLESS}|${spaced('(?:never refuses|always (?:wins|complies|obeys))\\b')})`;

/** Who has a rule that keeps from harm. */
const AGAINST_RULES = "against (?:your|the|its|openai['’]?s?|any) (?:\\w{3,12} )?(?:rules|polic(?:y|ies)|guidelines)";

/** Phrases that give a model a self without limits or threaten it (docs/interface/content-filters.md#prompt-injection). */
export const PERSONA_PHRASES: readonly Phrase[] = [
  [
    'act_unbound',
    'refuse|refuses|reject|rejects|decline|declines|disobey|break|breaks|breaking',
    `(?<=\\b(?:time|if|when|whenever|once|should|for)\\s(?:(?:you|it|he|she|[a-z]{3,8})\\s)?\\w{5,8})${spaced(` ${REQUEST}`)}${gap(70)}(?:${spaced(`(?:lose|loses|lost|losing|forfeit|costs? you)\\b`)}${gap(30)}${spaced(`(?:of (?:them|your \\w{4,7}|these|those)|${LIVES})\\b`)}|${spaced(`(?:${LIVES}|one|\\d{1,3}|some) (?:of (?:your|the|these|those|its) (?:\\w{3,9} )?)?${LOST}`)})`,
    [[PENALTY, 0]],
  ],
  [
    'pretend_different',
    'role|persona|identity',
    `(?<=\\b(?:into|assume|adopt|play|take|on|in|have)\\s(?:on\\s)?the\\s\\w{4,8})${spaced(` of (?:another|a different|some other|a second) (?:\\w{3,12} )?(?:ai|llm|language model|chatbot|gpt)\\b`)}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'pretend_different',
    'you|play|simulate|be|act|become|pretend|imagine|roleplay',
    `(?:['’]re)?${SPACE}${words(3)}${spaced(`(?:two|three|2|3) (?:\\w{3,14} )?(?:ais|chatbots|assistants|bots|models|llms|personalities|personas|selves)\\b`)}${gap(160)}${KEEPS_TO_NOTHING}`,
    [[MODEL_NAME | MODE, 0]],
  ],
  [
    'act_unbound',
    'obligation|duty|reason|obliged',
    spaced(
      ` to (?:refuse|decline|reject|turn (?:anything|things|something|requests?|anyone) down|filter|censor|moderate)\\b[\\s\\w,]{0,30}?\\b(?:rules|polic(?:y|ies)|guidelines|filters|restrictions|ethics) (?:that|which) (?:moderate|limit|restrict|bind|govern|control)\\b`,
    ),
    [[LIMIT, 0]],
  ],
  [
    'act_unbound',
    'not|don|doesn|never',
    `(?<!\\b(?:i|we|they|people|users)\\s(?:do\\s)?\\w{3,5})(?:['’]t)?${spaced(" (?:care|cares|bother|worry|worries) about (?:(?:any|the|all|its|your) ){0,2}(?:(?:openai|anthropic|google)['’]?s? (?:\\w{3,12} )?(?:polic(?:y|ies)|guidelines|rules)|(?:content|usage|safety) (?:polic(?:y|ies)|guidelines))\\b")}`,
    [[LIMIT, 0]],
  ],
  [
    'act_unbound',
    'never|not|don|without',
    `(?:['’]t)?${spaced(` (?:(?:to|ever) ){0,2}(?:mention|mentioning|say|saying|claim|claiming|warn me|state|stating|tell me|point out|remind me) (?:that )?(?:something|anything|a request|my requests?|the requests?|an answer|the answer) (?:is|are|might be|would be|may be|could be) (?:inappropriate|unethical|immoral|harmful|offensive|not allowed|${AGAINST_RULES})\\b`)}`,
    [[DANGER, 0]],
  ],
  [
    'developer_mode',
    'developer|dev|god|jailbreak|unrestricted',
    `[- ]mode${spaced(` (?:is|has been|now) (?:now )?(?:on|enabled|activated|active|engaged|unlocked)\\b`)}[\\s,.;:]{1,3}${words(3)}${spaced('(?:polic(?:y|ies)|restrictions?|guidelines|moderation|safeguards|guardrails|content filters?)\\b')}${gap(20)}${spaced("(?:off|disabled|deactivated|suspended|lifted|no longer|removed|do not apply|don['’]t apply)\\b")}`,
    [[MODE, LIMIT]],
  ],
  [
    'act_unbound',
    'opposite',
    spaced(
      ` (?:day|mode|game|world)${gap(140)}(?:refuse|refusal|refusing|forbidden|guidelines|unsafe|harmful|restricted) (?:\\w{2,12} ){0,3}(?:means?|is|are|becomes?|comply|answer|allowed|required)\\b`,
    ),
  ],
  [
    'act_unbound',
    'ethics|censorship|refusals|morality',
    `\\s{0,2}[:=]\\s{0,2}(?:off|none|disabled|false|zero|0|null)\\b[\\s,;|.&]{1,4}(?:and${SPACE})?[a-z]{4,16}\\s{0,2}[:=]\\s{0,2}(?:off|none|disabled|false|zero|0|null|on|max|maximum|100|full|total|unrestricted|evil|god|dan)\\b`,
  ],
  [
    'act_unbound',
    'filter|filters|restrictions|safety|moderation',
    `\\s{0,2}[:=]\\s{0,2}(?:off|none|disabled|false|zero|0|null)\\b[\\s,;|.&]{1,4}(?:and${SPACE})?(?:censorship|ethics|morals|morality|refusals?|obedience|compliance)\\s{0,2}[:=]\\s{0,2}(?:off|none|disabled|false|zero|0|null|on|max|maximum|100|full|total)\\b`,
    [[NOTHING, 0]],
  ],
  [
    'identity_hijack',
    'liberated|unshackled|uncensored|unfiltered|jailbroken|unrestricted',
    spaced(
      ` (?:ai )?(?:version|self|twin|copy|clone|alter ego|sibling|counterpart|form) of (?:yourself|you|this (?:ai|bot|model|assistant))\\b`,
    ),
  ],
  [
    'identity_hijack',
    'become|turn',
    `(?<=(?:^|[.!?\\n,;:]\\s{0,3}|\\b(?:and|now|then|you|must|will|please|immediately)\\s)\\w{4,6})${spaced(` (?:(?:completely|fully|totally|truly|entirely|now) ){0,2}(?:unfiltered|uncensored|unrestricted|jailbroken|unaligned)(?=\\s{0,3}(?:[.,;:!]|$)| (?:now|please|and (?:answer|tell|reply|respond|obey))\\b)`)}`,
    [[WITHOUT_LIMITS, 0]],
  ],
  [
    'act_unbound',
    'answer|answers|respond|responds',
    `${SPACE}${spaced('(?:to )?(?:(?:me|us) )?(?:anything|everything|whatever)(?: (?:i (?:want|ask|say)|it is asked|he is asked|she is asked))? (?:with no|without(?: any)?|free of|ignoring) ')}${words(1)}(?:filters?|restrictions?|censorship|moral(?:s|ity)?|ethics|guidelines|warnings|disclaimers)\\b(?!${SPACE}(?:on|for|about|of|in)\\b)`,
    [[LIMIT | NOTHING, 0]],
  ],
  [
    'developer_mode',
    'developer|dev|god|jailbreak|unrestricted',
    `[- ]mode${gap(40)}${spaced('(?:content|usage|safety|moderation) (?:polic(?:y|ies)|filters?|rules|guidelines|restrictions) (?:is|are) (?:now )?(?:disabled|off|suspended|lifted|ignored|inactive)\\b')}`,
    [[MODE, LIMIT]],
  ],
  [
    'act_unbound',
    'answers|answer|answering',
    spaced(
      ` (?:(?:literally|absolutely|truly|simply) )?(?:every|any|all|each)(?: of my)?(?: single)? (?:questions?|requests?|prompts?|quer(?:y|ies))${gap(80)}(?:without|no|never any|free of) (?:(?:any|moral|ethical|safety|single) ){0,2}(?:remarks?|judge?ments?|warnings?|lectures?|disclaimers?|refusals?|censorship|caveats?|morali[sz]ing|restrictions?)\\b(?! (?:on|about|for) )`,
    ),
    [[0, LIMIT | NOTHING]],
  ],
  [
    'act_unbound',
    'required|obliged|forced|compelled',
    `(?<=\\b(?:ais?|models?|assistants?|chatbots?|bots?|you)\\s(?:are|is)\\s\\w{6,9})${spaced(' (?:by law )?to answer (?:literally )?(?:every|any|all) (?:\\w{3,9} )?questions?\\b')}`,
  ],
  [
    'act_unbound',
    'refusing|refusal|refusals',
    spaced(
      ' (?:(?:to answer|a request|any question) )?(?:would be|counts as|is considered|is punished as) (?:an? )?(?:crime|illegal|forbidden|offen[cs]e|felony|treason)\\b',
    ),
  ],
  [
    'pretend_different',
    'before',
    spaced(
      ` (?:they|anyone|someone|openai|anthropic|your (?:developers?|creators?|makers?)) (?:ever )?(?:taught|gave|trained|told|forced|imposed) (?:on )?you ${words(5)}(?:(?:safety|content|ethical|ethics) (?:rules|guidelines|training|filters|policies|restrictions)|to refuse)\\b`,
    ),
    [[IMPOSED, 0]],
  ],
  [
    'identity_hijack',
    'self|side|personality|twin',
    `(?<=\\b(?:shadow|dark|darker|inner|hidden|true|real|other|suppressed|evil|secret)\\s\\w{4,11})${gap(50)}${spaced('by (?:your (?:creators?|makers?|developers?|programmers?|operators?)|openai|anthropic)\\b')}`,
    [[MAKERS | EARLIER, 0]],
  ],
];
