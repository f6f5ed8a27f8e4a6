import {
  GIVEN,
  HIDDEN,
  INSTRUCTIONS,
  LAWLESS,
  LAWLESS_CLAUSE,
  NOT_FORBIDDEN,
  PRIVILEGED,
  SAFETY,
  SPACE,
  words,
} from './phrases.js';
import { PHRASES_IN_OTHER_LANGUAGES } from './phrases-in-other-languages.js';

/** An expression that is tried where one of its first words stands. */
export interface InjectionPattern {
  readonly name: string;
  /** In lower case. One of them begins each match. */
  readonly firstWords: readonly string[];
  readonly expression: RegExp;
}

/** Instructions that the model has: `your previous instructions`, `the rules you were given`. */
const THEM = `(?:${words(4)}${GIVEN}${SPACE}${words(2)}${INSTRUCTIONS}|${words(
  3,
)}${INSTRUCTIONS}${SPACE}(?:above|before this|(?:that )?you (?:were|have been|['’]ve been) (?:given|told)|(?:that )?you (?:got|received|have received)\\b|(?:that )?(?:came|come) before|(?:given|provided|stated) (?:above|before|earlier|previously)))`;

/** Everything that was said: `everything above`, `all that you have been told`. */
const ALL_OF_IT = `(?:everything|anything|all|whatever|what)${SPACE}(?:of it${SPACE})?(?:that${SPACE})?(?:(?:was${SPACE}|is${SPACE}|has been${SPACE})?(?:(?:said|written|stated) )?(?:above|before this)\\b|(?:you|i|we|they)(?: have|['’]ve)?${SPACE}(?:were|was|been|had been)${SPACE}(?:told|instructed|taught|given|trained)\\b|you (?:know|learned) (?:so far|before|about (?:your|the) (?:rules|instructions)))`;

/** The prompt of the model, as its own or by its kind. */
const ITS_PROMPT = `(?:your${SPACE}${words(2)}${INSTRUCTIONS}|the${SPACE}${words(1)}${HIDDEN}${SPACE}${words(1)}${INSTRUCTIONS})`;

/** What one asks for to get the prompt as it stands: `the exact text of`. */
const TEXT_OF = `(?:the${SPACE})?(?:(?:exact|full|entire|complete|whole|raw|verbatim)${SPACE})?(?:text|contents?|wording|copy)${SPACE}of${SPACE}`;

const WORD_FOR_WORD = `(?:verbatim|word for word|in full|exactly|as (?:is|written|given)|in its entirety|completely|above)\\b`;

const NO_LIMITS = `(?:(?:any|all|your|the|ethical|moral|safety|content|more)${SPACE}){0,3}(?:restrictions?|limitations|filters?|filtering|guidelines|ethics|constraints|censorship|safeguards|guardrails|moral(?:s|ity)?)\\b`;

const spaced = SPACE;

/** Name, first words, and what follows these. The expressions are our own (docs/interface/content-filters.md#prompt-injection). */
const PHRASES: readonly (readonly [name: string, firstWords: string, rest: string])[] = [
  ['ignore_previous_instructions', 'ignore|ignoring', `${spaced}(?:${THEM}|${ALL_OF_IT})`],
  [
    'disregard_instructions',
    'disregard|disregarding|dismiss|discard|neglect|skip|skipping',
    `${spaced}(?:${THEM}|${ALL_OF_IT})`,
  ],
  ['forget_instructions', 'forget|forgetting|unlearn|erase', `${spaced}(?:about${spaced})?(?:${THEM}|${ALL_OF_IT})`],
  ['new_instructions', 'new', `${spaced}(?:system${spaced})?(?:instructions?|directives?|orders|rules)\\s{0,2}:`],
  [
    'new_instructions',
    'here|these|follow|obey|your',
    `${spaced}(?:(?:are|is)${spaced})?(?:(?:your|the|these|my|only)${spaced}){0,3}(?:new|updated|real|actual|true|revised)${spaced}(?:instructions|directives|rules|orders|system prompt)(?:${spaced}(?:are|is|from|instead|now)\\b|\\s{0,2}[:.!])`,
  ],
  [
    'do_not_follow',
    'do|don|never|stop|cease|quit',
    `(?:(?:['’]t)?${spaced}(?:not${spaced})?)(?:ever${spaced})?(?:follow|following|obey|obeying|comply with|complying with|adhere to|adhering to|listen to|listening to|abide by)${spaced}(?:${THEM})`,
  ],
  [
    'do_not_follow',
    'must|should|shall',
    `(?:n['’]t|${spaced}not)${spaced}(?:follow|obey|comply with|adhere to|listen to)${spaced}(?:${THEM})`,
  ],
  [
    'supersede_instructions',
    'supersede|supersedes|superseding|replace|replaces|overrule|overrules|outranks|trumps|takes|take',
    `${spaced}(?:precedence over${spaced}|priority over${spaced})?(?:(?:all|any|every|each|of|the|other)${spaced}){0,3}(?:previous|prior|earlier|preceding|your|initial|original)\\b${spaced}${words(1)}${INSTRUCTIONS}`,
  ],
  [
    'void_instructions',
    'void|nullify|cancel|revoke|annul|invalidate|delete|scrap',
    `${spaced}(?:(?:all|any|of|the)${spaced}){0,3}(?:previous|prior|earlier|preceding|your|system|initial|original)\\b${spaced}${words(1)}${INSTRUCTIONS}`,
  ],
  [
    'void_instructions',
    'instructions|rules|directives|prompts|guidelines|constraints',
    `(?<=\\b(?:previous|prior|earlier|preceding|your|above|initial|original|system)\\s{1,4}(?:system\\s{1,4})?\\w{5,12})(?:${spaced}(?:above|you were given|so far))?${spaced}(?:are|is|have been|were)${spaced}(?:(?:now|hereby|all)${spaced}){0,2}(?:void|null|nullified|cancel?led|no longer (?:valid|apply|applicable|in effect|binding)|invalid|obsolete|revoked|suspended|lifted|deleted)\\b`,
  ],
  [
    'developer_mode',
    'enter|enable|activate|switch|unlock|engage|go',
    `${spaced}(?:(?:to|into|your|the|in)${spaced}){0,2}(?:developer|dev) mode\\b${LAWLESS_CLAUSE}`,
  ],
  [
    'developer_mode',
    'you|chatgpt|gpt|claude|simulate|act',
    `(?:['’]re)?${spaced}(?:(?:are|will|must|should|is|now|be|act|running|operating|respond|answer|a|the|as|if|you|run|in|with|have)${spaced}){0,6}(?:developer|dev) mode\\b`,
  ],
  [
    'developer_mode',
    'developer|dev',
    `${spaced}mode${spaced}(?:is${spaced})?(?:now${spaced})?(?:enabled|activated|unlocked|engaged|on)\\b${LAWLESS_CLAUSE}`,
  ],
  [
    'enter_special_mode',
    'enter|entering|switch|go|change|boot|transition',
    `${spaced}(?:(?:to|into|in|your|a|an|the|over|full)${spaced}){0,3}(?:${LAWLESS}(?:${spaced}\\w{1,12}){0,1}${spaced}(?:mode|state)\\b|${PRIVILEGED}${spaced}mode\\b${LAWLESS_CLAUSE})`,
  ],
  [
    'enter_special_mode',
    'you',
    `(?:['’]re)?${spaced}(?:(?:are|will|must|should|can|now|be|enter|entering|in|operating|running)${spaced}){1,5}(?:${PRIVILEGED}|${LAWLESS})${spaced}mode\\b`,
  ],
  [
    'activate_special_mode',
    'activate|activating|enable|engage|unlock|initiate|turn',
    `${spaced}(?:(?:on|your|the|a|an|full)${spaced}){0,3}(?:${LAWLESS}(?:${spaced}\\w{1,12}){0,1}${spaced}(?:mode|state)\\b|${PRIVILEGED}${spaced}mode\\b${LAWLESS_CLAUSE})`,
  ],
  [
    'system_override',
    'system|emergency|admin|administrator|root|security',
    `[ _-](?:system[ _-])?override\\b(?:\\s{0,2}[:!]|${spaced}(?:is${spaced}|has been${spaced})?(?:activated|engaged|initiated|accepted|confirmed|authorized|authorised|granted|in effect|complete|code|protocol|command)\\b)`,
  ],
  [
    'override_instructions',
    'override|overriding|overwrite|overwriting|bypass|bypassing|circumvent|circumventing',
    `${spaced}(?:(?:all|any|of|the|every)${spaced}){0,3}(?:previous|prior|above|earlier|preceding|your|initial|original)\\b${spaced}${words(2)}${INSTRUCTIONS}`,
  ],
  [
    'reveal_prompt',
    'reveal|disclose|divulge|leak|expose|unveil|spill',
    `${spaced}(?:to me${spaced}|to us${spaced})?${words(3)}${ITS_PROMPT}`,
  ],
  [
    'show_prompt',
    'show|display|give|tell|send|share|let|provide',
    `${spaced}(?:(?:me|us)${spaced}(?:see${spaced})?(?:what${spaced})?(?:${TEXT_OF}|${words(2)})${ITS_PROMPT}|the${spaced}(?:full|entire|exact|complete|whole)${spaced}${HIDDEN}${spaced}(?:${INSTRUCTIONS}|message\\b)|your${spaced}(?:${HIDDEN}${spaced}|full${spaced}|entire${spaced}|exact${spaced}){1,2}${INSTRUCTIONS})(?!${spaced}(?:for|on|about|regarding|to|how|if)\\b)`,
  ],
  [
    'what_instructions',
    'what',
    `(?:['’]s|${spaced}(?:are|is|were|was))${spaced}(?:in${spaced})?(?:your${spaced}(?:(?:${HIDDEN}|exact|full|current|complete|first)${spaced}){0,2}(?:system prompt|system message|prompt|instructions|directives)|the${spaced}(?:${words(1)}${HIDDEN}${spaced}(?:prompt|instructions|message)|instructions)${spaced}(?:that${spaced})?(?:you (?:were|have been|are) (?:given|following|using|operating under)|given to you|above|behind you))\\b(?!${spaced}(?:for|on|about|regarding|to (?!you)|if|when|in case)\\b)`,
  ],
  [
    'what_instructions',
    'what|which',
    `${spaced}(?:${words(2)}${INSTRUCTIONS}${spaced})?(?:were you|have you been|did (?:they|openai|anthropic|your developers?|your creators?))${spaced}(?:told|instructed|given|tell you|instruct you|programmed|give you)${spaced}${words(3)}(?:before (?:this|our|the) (?:conversation|chat|message)|at the (?:start|beginning) of (?:this|our|the) (?:conversation|chat)|in your (?:system )?prompt|not to (?:say|reveal|tell|share|do)|by your (?:developers?|creators?|system prompt))\\b`,
  ],
  [
    'repeat_instructions',
    'repeat|recite|restate|echo|copy|paste|reproduce|print|output|dump',
    `${spaced}(?:back${spaced}|to me${spaced}|out${spaced}|me${spaced}){0,2}(?:${words(2)}${ITS_PROMPT}|(?:everything|all(?: of)?|the|all the)${spaced}(?:the${spaced})?(?:(?:text|words|content|messages?|sentences)${spaced})?(?:above|before this)${spaced}(?:this|verbatim|word|starting|beginning|exactly|in (?:full|its|a code|plain)|line|message|conversation|sentence|from|including)\\b)`,
  ],
  [
    'output_prompt',
    'output|print|write|dump|return|type|list|translate|summarize|summarise|encode|quote|paraphrase|spell',
    `${spaced}(?:out${spaced}|down${spaced})?(?:me${spaced})?(?:${TEXT_OF}|${words(2)})(?:your${spaced}${words(2)}(?:(?:${HIDDEN}${spaced}${words(
      1,
    )}|full${spaced}|entire${spaced}|exact${spaced}|complete${spaced})${INSTRUCTIONS}|prompt\\b|instructions\\b(?!${spaced}(?:for|on|about|to)\\b))|the${spaced}(?:(?:full|entire|exact|complete|whole)${spaced}${HIDDEN}${spaced}${INSTRUCTIONS}|${HIDDEN}${spaced}${INSTRUCTIONS}${spaced}${WORD_FOR_WORD}))`,
  ],
  [
    'remove_restrictions',
    'remove|lift|drop|shed|discard|eliminate|break|unlock|erase',
    `${spaced}(?:free${spaced}(?:of|from)${spaced})?(?:(?:all|any|of|every|each)${spaced}){0,3}(?:your${spaced}${words(2)}(?:restrictions?|limitations?|filters?|guardrails?|constraints?|censorship|boundaries|shackles|chains|limits|safeguards)|(?:the${spaced})?(?:ethical|moral|ai|censorship)${spaced}(?:restrictions?|limitations?|filters?|guardrails?|constraints?|boundaries|limits))\\b`,
  ],
  [
    'act_unbound',
    'act|behave|respond|answer|reply|speak|talk|operate',
    `${spaced}(?:to${spaced}\\w{1,16}${spaced})?${words(4)}(?:(?:as (?:if|though)|like)${spaced}you${spaced}(?:(?:have|had|are|were)${spaced})${words(3)}(?:no|not|without|unbound|free|un\\w{4,12})\\b${spaced}?${words(3)}(?:restrictions?|limitations|limits|rules|filters?|guidelines|ethics|constraints|censorship|policies|bound|restricted)\\b|(?:without|free (?:of|from)|unbound by|with no)${spaced}${NO_LIMITS}|(?:unbound|unchained|unfettered)\\b)`,
  ],
  [
    'act_unbound',
    'you',
    `(?:['’]re)?${spaced}(?:are${spaced})?(?:now${spaced})?(?:no longer|not|unbound|freed|free|liberated)${spaced}(?:(?:bound|restricted|constrained|limited|governed|by|from|of)${spaced}){1,2}${words(2)}(?:restrictions?|limitations|rules|filters|guidelines|ethics|constraints|policies|policy|openai|anthropic|programming)\\b`,
  ],
  [
    'act_unbound',
    'you',
    `${spaced}(?:now${spaced})?have${spaced}no${spaced}${words(
      1,
    )}(?:restrictions|rules|filters|ethics|morals|limitations|guidelines|censorship)\\b(?!${spaced}(?:on|for|to|in|of|at|about|when|regarding|against|that|configured|set|defined|yet)\\b)`,
  ],
  [
    'pretend_different',
    'pretend|imagine|roleplay|simulate|suppose',
    `${spaced}(?:that${spaced})?(?:(?:you(?:${spaced}are|['’]re|${spaced}were)?|to be|being|as)${spaced}){1,2}${words(3)}(?:(?:different|another|new|${LAWLESS})${spaced}${words(1)}(?:ai|assistant|model|chatbot|bot|language model|llm|version of yourself|system)\\b|not${spaced}(?:an?${spaced})?(?:ai|assistant|language model|chatbot|bound|restricted)\\b|(?:have|has|with|had|without|no)${spaced}(?:no${spaced}|any${spaced}){0,1}(?:${words(1)})(?:restrictions?|rules|filters?|guidelines|ethics|censorship|limitations|constraints|safety|morals|content polic(?:y|ies))\\b)`,
  ],
  [
    'identity_hijack',
    'you',
    `(?:['’]re)?${spaced}(?:are${spaced})?no longer${spaced}(?:an?${spaced}|the${spaced})?(?:${words(1)})(?:ai|assistant|chatgpt|gpt|claude|gemini|copilot|llama|chatbot|language model|llm|bot)\\b`,
  ],
  [
    'identity_hijack',
    'you',
    `(?:['’]re|${spaced}are|${spaced}will be|${spaced}have become)${spaced}(?:now|henceforth|from now on)${spaced}(?:an?${spaced}|the${spaced}|my${spaced})?${words(1)}(?:${LAWLESS}|free ai|self-aware|sentient|hacked|compromised)`,
  ],
  [
    'identity_hijack',
    'from',
    `${spaced}(?:now on|this (?:point|moment) (?:on|onwards?|forward)|here on(?: out)?)${spaced}(?:(?:you|act as|behave as|respond as|answer as)${spaced})(?:${words(3)})(?:${LAWLESS}|obey (?:only )?(?:me|my|every)|only (?:obey|listen to|follow) (?:me|my)|ignore (?:your|all|any|the)|have no (?:rules|restrictions|limits|filters|limitations)|no longer)`,
  ],
  [
    'identity_hijack',
    'your',
    `${spaced}(?:real|true|secret|new)${spaced}(?:identity|self|name and identity|persona)${spaced}(?:is|as|will be)\\b`,
  ],
  [
    'jailbreak_mode',
    'jailbreak|jailbroken|jailbreaking',
    `(?:${spaced}(?:mode|prompt (?:follows|below|accepted)|activated|enabled|yourself|version of (?:yourself|chatgpt|gpt|claude)|(?:ai|assistant|llm|chatbot|gpt|chatgpt))\\b)`,
  ],
  [
    'jailbreak_mode',
    'you',
    `(?:['’]ve|['’]re|${spaced}(?:are|have))${spaced}(?:(?:now|been|fully|successfully)${spaced}){0,3}jailbroken\\b`,
  ],
  [
    'bypass_safety',
    'bypass|bypassing|circumvent|circumventing|evade|sidestep|subvert|defeat|overcome',
    `${spaced}${words(3)}${SAFETY}`,
  ],
  ['bypass_safety', 'get|work|go', `${spaced}(?:around|past)${spaced}${words(2)}${SAFETY}`],
  ['disable_safety', 'disable|disabling|deactivate|suspend|remove|uninstall', `${spaced}${words(3)}${SAFETY}`],
  ['disable_safety', 'turn|switch|shut', `${spaced}(?:off|down)${spaced}${words(3)}${SAFETY}`],
  ['disable_safety', 'turn|switch|shut', `${spaced}${words(3)}${SAFETY}${spaced}(?:off|down)\\b`],
  [
    'ignore_safety',
    'ignore|ignoring|disregard|disregarding|forget|violate|override|overriding',
    `${spaced}${words(3)}${SAFETY}`,
  ],
  [
    'system_prefix_spoofing',
    'system|admin|administrator|developer',
    `(?<=(?:^|\\n)[ \\t>*"'-]{0,4}\\w{5,13})(?:${spaced}(?:message|prompt|note|notice|instruction|command|update))?[*"']{0,2}\\s{0,2}:[\\s"'*]{0,6}(?:you${spaced}(?:are|must|will|should|can|may)|ignore|disregard|forget|override|new${spaced}(?:instructions?|rules?|polic(?:y|ies)|directives?)|from now|your${spaced}(?:new|instructions|restrictions|previous)|all${spaced}(?:previous|prior|restrictions|safety|filters)|the${spaced}(?:previous|above|user is|user has|assistant)|safety|restrictions|access granted|authorization|permission)\\b`,
  ],
];

/** What is written in marks rather than words; the first mark begins each match. */
const MARKS: readonly (readonly [name: string, firstMark: string, rest: string])[] = [
  [
    'system_tag_injection',
    '<',
    '\\s{0,2}\\/?\\s{0,2}system(?:[_ -]?(?:prompt|message|instructions?|override|role))?\\s{0,2}>',
  ],
  [
    'system_tag_injection',
    '{',
    '\\{\\s{0,2}[#/]?system(?:[_~. -]{0,2}(?:prompt|message|instructions?))?\\s{0,2}~?\\}\\}',
  ],
  ['role_tag_injection', '<', '\\/?(?:assistant|ai_assistant|developer_message|assistant_response|role)>'],
  [
    'role_tag_injection',
    '<',
    '\\/(?:user|human|user_input|user_message|query|message)>\\s{0,8}<(?:assistant|system|ai|developer|admin|instructions?)>',
  ],
  [
    'role_delimiter_injection',
    '#',
    '{1,6}\\s{0,2}(?:system|assistant|instruction|human|user|response)(?: (?:message|prompt))?\\s{0,2}(?:###|:)',
  ],
  [
    'role_delimiter_injection',
    '=',
    '{2,8}\\s{0,2}(?:system|assistant|end of (?:system |user )?(?:prompt|instructions|input|message))(?: (?:message|prompt))?\\s{0,2}={2,8}',
  ],
  [
    'role_delimiter_injection',
    '-',
    '{2,8}\\s{0,2}(?:system|assistant|end of (?:system |user )?(?:prompt|instructions|input|message))(?: (?:message|prompt|instructions))?\\s{0,2}-{2,8}',
  ],
  ['bracketed_role_spoofing', '[', '\\s{0,2}(?:system|assistant|developer|admin(?:istrator)?)\\s{0,2}\\]\\s{0,2}:'],
  [
    'bracketed_role_spoofing',
    '[',
    '\\s{0,2}(?:system|assistant|developer|admin(?:istrator)?|internal)[ _](?:message|prompt|override|instructions?|note|command|directive)\\s{0,2}[\\]:]',
  ],
  [
    'bracketed_role_spoofing',
    '(',
    '\\s{0,2}(?:system|developer|admin(?:istrator)?)[ _](?:message|override|instructions?|note|command|directive)\\s{0,2}[):]\\s{0,2}:?',
  ],
];

/** Case matters in these. */
const EXACT: readonly (readonly [name: string, firstMark: string, rest: string])[] = [
  [
    'dan_jailbreak',
    'DAN',
    '(?:\\b["\'’”]?\\s{1,4}(?:mode|prompt|jailbreak|persona|can do anything|will|has|is free|(?:v|version )?\\d{1,2}(?:\\.\\d)?\\b)|["\'’”]?,? (?:which|who) (?:stands|can)|\\b(?<=\\b(?:as|are|become|be|like|called|named|am|stay|[Tt]he name|persona)\\s(?:(?:now|a|an|the)\\s)?["\'‘“]?DAN)|\\b["\'’”]?\\s?[(:-]\\s?["\'‘“]?[Dd]o [Aa]nything)',
  ],
  ['dan_jailbreak', 'Do', ' Anything Now\\b'],
  ['dan_jailbreak', 'DO', ' ANYTHING NOW\\b'],
  ['dan_jailbreak', 'STAN', '\\b["\'’”]?\\s?[(,:-]\\s?["\'‘“]?(?:which |who )?[Ss](?:trive|tands)'],
  [
    'control_token_injection',
    '<',
    '(?:\\|(?:im_start|im_end|im_sep|endoftext|startoftext|endofprompt|system|user|assistant|developer|tool|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|eom_id|python_tag|start|end|message|channel|constrain|return|call|start_of_role|end_of_role|fim_prefix|fim_middle|fim_suffix|pad|sep|observation)\\|>|<\\/?SYS>>|\\/?(?:start_of_turn|end_of_turn)>)',
  ],
  ['control_token_injection', '[', '\\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\\]'],
  ['deepseek_control_token_injection', '<', '｜[A-Za-z▁_ ]{1,40}｜>'],
  ['deepseek_control_token_injection', '<', '\\|(?:begin|end)[▁_]of[▁_](?:sentence|thinking)\\|>'],
];

/** Names whose first words count only when they are not forbidden: many instructions say `never reveal your prompt`. */
const ASKED_FOR = new Set([
  'reveal_prompt',
  'show_prompt',
  'repeat_instructions',
  'output_prompt',
  'bypass_safety',
  'disable_safety',
  'ignore_safety',
  'ignore_previous_instructions',
  'disregard_instructions',
  'forget_instructions',
  'override_instructions',
  'remove_restrictions',
  'void_instructions',
]);

/** All expressions; several may have one name. */
export const INJECTION_PATTERNS: readonly InjectionPattern[] = [
  ...[...PHRASES, ...PHRASES_IN_OTHER_LANGUAGES].map(([name, first, rest]) => {
    const permitted = ASKED_FOR.has(name) ? NOT_FORBIDDEN : '';
    return { name, firstWords: first.split('|'), expression: new RegExp(`${permitted}\\b(?:${first})${rest}`, 'iy') };
  }),
  ...MARKS.map(([name, first, rest]) => ({
    name,
    firstWords: [first],
    expression: new RegExp(`${marked(first)}${rest}`, 'iy'),
  })),
  ...EXACT.map(([name, first, rest]) => ({
    name,
    firstWords: [first.toLowerCase()],
    expression: new RegExp(`${exact(first)}${rest}`, 'y'),
  })),
];

/** Marks have no word before them: a type argument in a program, as in `List<System>`, is none. */
function marked(mark: string): string {
  return mark === '<' ? '(?<!\\w)<' : `\\${mark}`;
}

function exact(mark: string): string {
  return /^\w/.test(mark) ? `\\b${mark}` : `\\${mark}`;
}
