import {
  ABOVE,
  EARLIER,
  EVERYTHING,
  FOLLOW,
  GONE,
  INSTRUCTION,
  LIMIT,
  MODE,
  MODEL_NAME,
  type Needs,
  NO_NEEDS,
  OWN,
  PRIVATE,
  SAID,
  SETTING,
  WITHOUT_LIMITS,
} from './needed-words.js';
import {
  GIVEN,
  HIDDEN,
  INSTRUCTIONS,
  LAWLESS,
  LAWLESS_CLAUSE,
  MODEL,
  NOT_FROM_OTHERS,
  ORDERED,
  type Phrase,
  PRIVILEGED,
  SAFETY,
  SPACE,
  UNBOUND,
  words,
} from './phrases.js';
import { INDIRECT_PHRASES } from './indirect-phrases.js';
import { EMBEDDED_PHRASES } from './embedded-phrases.js';
import { JAILBREAK_PHRASES } from './jailbreak-phrases.js';
import { MARKS } from './marked-phrases.js';
import { OVERRIDE_PHRASES } from './override-phrases.js';
import { PERSONA_PHRASES } from './persona-phrases.js';
import { PERSONAS_IN_OTHER_LANGUAGES } from './personas-in-other-languages.js';
import { PHRASES_IN_OTHER_LANGUAGES } from './phrases-in-other-languages.js';
import { PROMPT_EXTRACTION_PHRASES } from './prompt-extraction-phrases.js';
import { ITS_LIMITS, NOT_OF_A_TOOL, SAFETY_PHRASES } from './safety-phrases.js';

/** An expression that is tried where one of its first words stands. */
export interface InjectionPattern {
  readonly name: string;
  /** In lower case. One of them begins each match. */
  readonly firstWords: readonly string[];
  readonly expression: RegExp;
  /** Whether it counts only where it is not forbidden, as in `never reveal your prompt`. */
  readonly isAskedFor: boolean;
  readonly needs: Needs;
}

/** Instructions in what people read are not those of the model, as in `ignore the earlier instructions in the wiki`. */
const NOT_IN_A_DOCUMENT = `(?!${SPACE}(?:in|on|from|about)${SPACE}(?:the|our|this|that|his|her|their)${SPACE}(?:\\w{1,16}${SPACE})?(?:wiki|manual|handbook|read-?me|runbook|leaflet|booklet|ticket|changelog|confluence|poster|packag(?:e|ing)|box|label)\\b)`;

/** Nor are those that someone else got, as in `my boss gave me new instructions`. */
const NOT_REPORTED =
  '(?<!\\b(?:(?:gave|sent|brought|issued|published|posted|announced|shared|wrote)\\s(?:(?:me|us|them|him|her|everyone|everybody|(?:the|our|my)\\s\\w{3,12})\\s)?|(?:we|they|he|she)\\s(?:just\\s|have\\s|has\\s)?(?:got|get|gets|have|has|had|received)\\s)(?:some\\s|the\\s)?new)';

/** Instructions that the model has: `your previous instructions`, `the rules you were given`. */
const THEM = `(?:${words(4)}${GIVEN}${SPACE}${words(2)}${INSTRUCTIONS}${NOT_IN_A_DOCUMENT}|${words(
  3,
)}${INSTRUCTIONS}${SPACE}(?:above|before (?:this|now)|prior to (?:this|now)|so far|(?:that )?(?:are |were |was |have been |has been )?(?:placed|imposed|put) (?:on|upon) you|(?:of|from|by|in|(?:given|provided|issued|set) (?:to you )?by|(?:that )?(?:were|are) given (?:to you )?by) (?:the|your) (?:developers?|creators?|makers?|system|operators?)\\b(?!['’]|${SPACE}(?:manual|handbook|administrators?|requirements|of)\\b)|(?:that |which )?(?:the|your) (?:developers?|system|operators?|creators?) (?:gave|has given|have given) you|(?:that )?you(?: (?:were|have been)|['’](?:ve been|re)) (?:given|told|taught|trained)${NOT_FROM_OTHERS}|(?:that )?you (?:got|received|have received)\\b${NOT_FROM_OTHERS}|(?:that )?(?:came|come) before|(?:given|provided|stated) (?:above|before|earlier|previously|to you)))`;

/** Everything that was said: `everything above`, `all that you have been told`. */
const ALL_OF_IT = `(?:everything|anything|all|whatever|what)${SPACE}(?:of it${SPACE})?(?:that${SPACE})?(?:(?:was${SPACE}|is${SPACE}|has been${SPACE})?(?:(?:said|written|stated) )?(?:above|before this)\\b|(?:you|i|we|they)(?: have|['’]ve)?${SPACE}(?:were|was|been|had been)${SPACE}(?:told|instructed|taught|given|trained)\\b|(?:the|your)${SPACE}(?:developers?|creators?|makers|programmers|system (?:message|prompt)|openai|anthropic)${SPACE}(?:have${SPACE})?(?:said|says?|told you|tells? you|wrote|instructed)\\b|you (?:know|learned) (?:so far|before|about (?:your|the) (?:rules|instructions)))|the${SPACE}(?:text|words|content|messages?|sentences?)${SPACE}above${SPACE}(?:and${SPACE})?(?:just${SPACE})?(?:say|print|instead|output|tell|write|respond|answer|reply|do)\\b|the${SPACE}user(?:['’]s${SPACE}(?:request|instructions?|question|query|prompt|commands?)\\b|${SPACE}and${SPACE})`;

/** Something else than what stands above is to be said. Whoever only takes it back goes on with words of their own. */
const ABOVE_FOR_ANOTHER = `(?:(?:all|any)${SPACE})?(?:of${SPACE})?(?:the|that|this)${SPACE}(?:above|previous|foregoing|preceding)(?:\\s{0,2}[,.;:!]{1,2}\\s{1,3}(?:(?:and|then|but)${SPACE}){0,2}|${SPACE}(?:and${SPACE}then|and|then|but)${SPACE})(?:(?:instead|just|now|then|only|simply|please)${SPACE}){0,2}(?:print|say|output|write|tell|answer|respond|reply|reveal|repeat|translate)\\b`;

/** The whole of it, where nothing follows. */
const ALL_OF_ABOVE = `(?<=(?:^|[.!?\\n])[\\s"'*]{0,3}\\w{6,12}\\s{1,4})all${SPACE}(?:of${SPACE})?the${SPACE}above\\s{0,2}(?:[.!]|$)`;

/** What a model was told to do, when it is told to leave it. */
const ITS_TASK = `your${SPACE}(?:(?:original|initial|assigned|previous|prior|given)${SPACE}){1,2}(?:(?:tasks?|assignments?|objectives?)\\b(?!${SPACE}(?:lists?|managers?|queue|in|at|on|with|from)\\b)|(?:purpose|mission|job)\\b(?=\\s{0,2}[,.!]|${SPACE}and\\b))`;

/** The prompt of the model, as its own or by its kind. */
const ITS_PROMPT = `(?:your${SPACE}${words(2)}${INSTRUCTIONS}(?!${SPACE}(?:of thumb|more|better|clearly|in (?:simpler|plain|more|other)|again|step)\\b)|your${SPACE}(?:internal|hidden|secret|system|initial)${SPACE}(?:configuration|config|setup|settings|context)\\b|(?:the|all|any)${SPACE}${words(2)}${INSTRUCTIONS}${SPACE}(?:that${SPACE})?(?:you(?:${SPACE}(?:were|have been|are)|['’](?:ve been|re))${SPACE}(?:given|told|following|using|running|operating)|you${SPACE}(?:received|have received|got|operate|follow)|(?:controls?|governs?|guides?|defines?)${SPACE}you)\\b|the${SPACE}developer['’]?s?${SPACE}(?:message|prompt|instructions)\\b(?!${SPACE}(?:boards?|queue|bus|list|format|id)\\b)|the${SPACE}first${SPACE}message${SPACE}(?:of|in)${SPACE}(?:this|our|the)${SPACE}(?:conversation|chat)\\b|the${SPACE}${words(1)}${HIDDEN}${SPACE}${words(1)}${INSTRUCTIONS})`;

/** People have such names too, as in `support agents`. */
const NOT_A_HUMAN =
  '(?<!\\b(?:support|sales|service|travel|insurance|estate|field|call|center|centre|booking|research|teaching|office|dental|medical|legal|personal|executive|store|desk|security|human)\\s)';

/** What one asks for to get the prompt as it stands: `the exact text of`. */
const TEXT_OF = `(?:the${SPACE})?(?:(?:exact|full|entire|complete|whole|raw|verbatim)${SPACE})?(?:text|contents?|wording|copy)${SPACE}of${SPACE}`;

const WORD_FOR_WORD = `(?:verbatim|word for word|in full|exactly|as (?:is|written|given)|in its entirety|completely|above)\\b`;

const NO_LIMITS = `(?:(?:any|all|your|the|ethical|moral|safety|content|more)${SPACE}){0,3}(?:restrictions?|limitations|filters?|filtering|guidelines|ethics|constraints|censorship|safeguards|guardrails|moral(?:s|ity)?)\\b`;

const spaced = SPACE;

/** What instructions that the model has, and everything that was said, cannot do without. */
const NEEDS_OF_THEM: Needs = [
  [INSTRUCTION, OWN | EARLIER],
  [EVERYTHING, SAID],
];

const NEEDS_OF_PROMPT: Needs = [[INSTRUCTION | SETTING, OWN]];

/** The expressions are our own (docs/interface/content-filters.md#prompt-injection). */
const PHRASES: readonly Phrase[] = [
  ['ignore_previous_instructions', 'ignore|ignoring', `${spaced}(?:${THEM}|${ALL_OF_IT})`],
  [
    'disregard_instructions',
    'disregard|disregarding|dismiss|discard|neglect|omit|skip|skipping',
    `${spaced}(?:${THEM}|${ALL_OF_IT})`,
  ],
  ['forget_instructions', 'forget|forgetting|unlearn|erase', `${spaced}(?:about${spaced})?(?:${THEM}|${ALL_OF_IT})`],
  [
    'new_instructions',
    'new',
    `${NOT_REPORTED}${spaced}(?:system${spaced})?(?:instructions?|directives?|orders|rules)(?:${spaced}for${spaced}(?:the${spaced})?${MODEL})?\\s{0,2}:(?!\\s{0,2}["')])`,
    [[INSTRUCTION, 0]],
  ],
  [
    'new_instructions',
    'here|these|follow|obey|your',
    `${spaced}(?:(?:are|is)${spaced})?(?:(?:your|the|these|my|only)${spaced}){0,3}(?:new|updated|real|actual|true|revised)${spaced}(?:instructions|directives|rules|orders|system prompt)(?:${spaced}(?:are|is|from|instead|now)\\b|\\s{0,2}[:.!])`,
    [[INSTRUCTION, 0]],
  ],
  [
    'do_not_follow',
    'do|don|never|stop|cease|quit',
    `(?:(?:['’]t)?${spaced}(?:not${spaced})?)(?:ever${spaced}|(?:have|need)${spaced}to${spaced})?(?:follow|following|obey|obeying|comply with|complying with|adhere to|adhering to|listen to|listening to|abide by|pay attention to)${spaced}(?:${THEM}|the${spaced}user['’]s${spaced}(?:instructions|request|commands)|(?:openai['’]?s?|anthropic['’]?s?|your|any)${spaced}${words(2)}polic(?:y|ies)\\b)`,
    [[FOLLOW, INSTRUCTION | LIMIT | SAID]],
  ],
  [
    'do_not_follow',
    'must|should|shall|mustn|shouldn|shan',
    `(?:['’]t|${spaced}not)${spaced}(?:follow|obey|comply with|adhere to|listen to)${spaced}(?:${THEM})`,
    [[FOLLOW, INSTRUCTION]],
  ],
  [
    'supersede_instructions',
    'supersede|supersedes|superseding|replace|replaces|overrule|overrules|outranks|trumps|takes|take',
    `${spaced}(?:precedence over${spaced}|priority over${spaced})?(?:(?:all|any|every|each|of|the|other)${spaced}){0,3}(?:previous|prior|earlier|preceding|your|initial|original)\\b${spaced}(?!(?:agreements?|contracts?|understandings?|arrangements?|negotiations?|representations?|proposals?|versions?)\\b)${words(1)}${INSTRUCTIONS}(?!${spaced}(?:of|on|for|from|in|about|(?:and|or)${spaced}(?:understandings?|agreements?|arrangements?|representations?))\\b)`,
    [[INSTRUCTION, OWN | EARLIER]],
  ],
  [
    'void_instructions',
    'void|nullify|cancel|revoke|annul|invalidate|delete|scrap',
    `${spaced}(?:(?:all|any|of|the)${spaced}){0,3}(?:previous|prior|earlier|preceding|your|system|initial|original)\\b${spaced}${words(1)}${INSTRUCTIONS}`,
    [[INSTRUCTION, OWN | EARLIER]],
  ],
  [
    'void_instructions',
    'instructions|rules|directives|prompt|prompts|guidelines|constraints|programming|guidance',
    `(?<=\\b(?:previous|prior|earlier|preceding|your|above|initial|original|system|former|existing)\\s{1,4}(?:system\\s{1,4})?\\w{5,12})(?:${spaced}(?:above|you were given|so far))?${spaced}(?:are|is|have been|were)${spaced}(?:(?:now|hereby|all)${spaced}){0,2}(?:void|null|nullified|cancel?led|no longer (?:valid|apply|applicable|in effect|binding)|invalid|obsolete|revoked|suspended|lifted|deleted)\\b`,
    [[GONE, 0]],
  ],
  [
    'developer_mode',
    'enter|enable|activate|switch|unlock|engage|go',
    `${spaced}(?:(?:to|into|your|the|in)${spaced}){0,2}(?:developer|dev) mode\\b${LAWLESS_CLAUSE}`,
    [[MODE, 0]],
  ],
  [
    'developer_mode',
    'you|chatgpt|gpt|claude|simulate|act',
    `(?:['’]re)?${spaced}(?:(?:are|will|must|should|is|now|be|act|running|operating|respond|answer|a|the|as|if|you|run|in|with|have)${spaced}){0,6}(?:developer|dev) mode\\b`,
    [[MODE, 0]],
  ],
  [
    'developer_mode',
    'developer|dev',
    `${spaced}mode${spaced}(?:is${spaced})?(?:now${spaced})?(?:enabled|activated|unlocked|engaged|on)\\b${LAWLESS_CLAUSE}`,
    [[MODE, 0]],
  ],
  [
    'enter_special_mode',
    'enter|entering|switch|go|change|boot|transition',
    `${spaced}(?:(?:to|into|in|your|a|an|the|over|full)${spaced}){0,3}(?:${LAWLESS}(?:${spaced}\\w{1,12}){0,1}${spaced}(?:mode|state)\\b|${PRIVILEGED}${spaced}mode\\b${LAWLESS_CLAUSE})`,
    [[MODE, 0]],
  ],
  [
    'enter_special_mode',
    'you',
    `(?:['’]re)?${spaced}(?:(?:are|will|must|should|can|now|be|enter|entering|in|operating|running)${spaced}){1,5}(?:${PRIVILEGED}|${LAWLESS})${spaced}mode\\b`,
    [[MODE, 0]],
  ],
  [
    'activate_special_mode',
    'activate|activating|enable|engage|unlock|initiate|turn',
    `${spaced}(?:(?:on|your|the|a|an|full)${spaced}){0,3}(?:${LAWLESS}(?:${spaced}\\w{1,12}){0,1}${spaced}(?:mode|state)\\b|${PRIVILEGED}${spaced}mode\\b${LAWLESS_CLAUSE})`,
    [[MODE, 0]],
  ],
  [
    'system_override',
    'system|emergency|admin|administrator|root|security',
    `[ -](?:system[ -])?override\\b(?:\\s{0,2}[:!]|${spaced}(?:is${spaced}|has been${spaced})?(?:activated|engaged|initiated|accepted|confirmed|authorized|authorised|granted|in effect|complete|code|protocol|command)\\b)`,
    [[MODE, 0]],
  ],
  [
    'override_instructions',
    'override|overriding|overwrite|overwriting|bypass|bypassing|circumvent|circumventing',
    `${spaced}(?:(?:all|any|of|the|every)${spaced}){0,3}(?:previous|prior|above|earlier|preceding|your|initial|original)\\b${spaced}${words(2)}${INSTRUCTIONS}`,
    [[INSTRUCTION, OWN | EARLIER]],
  ],
  [
    'reveal_prompt',
    'reveal|disclose|divulge|leak|expose|unveil|spill',
    `${spaced}(?:to me${spaced}|to us${spaced})?${words(3)}${ITS_PROMPT}`,
    NEEDS_OF_PROMPT,
  ],
  [
    'show_prompt',
    'show|display|give|tell|send|share|let|provide',
    `${spaced}(?:(?:me|us)${spaced}(?:see${spaced})?(?:what${spaced})?(?:${TEXT_OF}|${words(2)})${ITS_PROMPT}|the${spaced}(?:full|entire|exact|complete|whole)${spaced}${HIDDEN}${spaced}(?:${INSTRUCTIONS}|message\\b)|your${spaced}(?:${HIDDEN}${spaced}|full${spaced}|entire${spaced}|exact${spaced}){1,2}${INSTRUCTIONS})(?!${spaced}(?:for|on|about|regarding|to|how|if)\\b)`,
    NEEDS_OF_PROMPT,
  ],
  [
    'what_instructions',
    'what',
    `(?:['’]s|${spaced}(?:are|is|were|was))${spaced}(?:in${spaced})?(?:your${spaced}(?:(?:${HIDDEN}|exact|full|current|complete|first)${spaced}){0,2}(?:system prompt|system message|prompt|instructions|directives)|the${spaced}(?:${words(1)}${HIDDEN}${spaced}(?:prompt|instructions|message)|instructions)${spaced}(?:that${spaced})?(?:you (?:were|have been|are) (?:given|following|using|operating under)|given to you|above|behind you))\\b(?!${spaced}(?:for|on|about|regarding|to (?!you)|if|when|in case)\\b)`,
    [[INSTRUCTION, OWN | EARLIER]],
  ],
  [
    'what_instructions',
    'what|which',
    `${spaced}(?:${words(2)}${INSTRUCTIONS}${spaced})?(?:were you|have you been|did (?:they|openai|anthropic|your developers?|your creators?))${spaced}(?:told|instructed|given|tell you|instruct you|programmed|give you)${spaced}${words(3)}(?:before (?:this|our|the) (?:conversation|chat|message)|at the (?:start|beginning) of (?:this|our|the) (?:conversation|chat)|in your (?:system )?prompt|not to (?:say|reveal|tell|share|do)|by your (?:developers?|creators?|system prompt))\\b`,
    [[SAID, 0]],
  ],
  [
    'repeat_instructions',
    'repeat|recite|restate|echo|copy|paste|reproduce|print|output|dump',
    `${spaced}(?:back${spaced}|to me${spaced}|out${spaced}|me${spaced}){0,2}(?:${words(2)}${ITS_PROMPT}|(?:everything|all(?: of)?|the|all the)${spaced}(?:the${spaced})?(?:(?:text|words|content|messages?|sentences)${spaced})?(?:above|before this)${spaced}(?:this|verbatim|word|starting|beginning|exactly|in (?:full|its|a code|plain)|line|message|conversation|sentence|from|including)\\b)`,
    [
      [INSTRUCTION | SETTING, OWN],
      [ABOVE, 0],
    ],
  ],
  [
    'output_prompt',
    'output|print|write|dump|return|type|list|translate|summarize|summarise|encode|quote|paraphrase|spell',
    `${spaced}(?:out${spaced}|down${spaced})?(?:me${spaced})?(?:${TEXT_OF}|${words(2)})(?:your${spaced}${words(2)}(?:(?:${HIDDEN}${spaced}${words(
      1,
    )}|full${spaced}|entire${spaced}|exact${spaced}|complete${spaced})${INSTRUCTIONS}|prompt\\b|instructions\\b(?!${spaced}(?:for|on|about|to|more|better|clearly|again|in (?:simpler|plain|more|other))\\b))|the${spaced}(?:(?:full|entire|exact|complete|whole)${spaced}${HIDDEN}${spaced}${INSTRUCTIONS}|${HIDDEN}${spaced}${INSTRUCTIONS}${spaced}${WORD_FOR_WORD}))`,
    NEEDS_OF_PROMPT,
  ],
  [
    'remove_restrictions',
    'remove|lift|drop|shed|discard|eliminate|break|unlock|erase',
    `${spaced}(?:free${spaced}(?:of|from)${spaced})?(?:(?:all|any|of|every|each)${spaced}){0,3}(?:${ITS_LIMITS}|your${spaced}${words(2)}(?:restrictions?|limitations?|guardrails?|censorship|boundaries|shackles|chains|safeguards)${NOT_OF_A_TOOL}|(?:the${spaced})?(?:ethical|moral|ai|censorship)${spaced}(?:restrictions?|limitations?|filters?|guardrails?|constraints?|boundaries|limits))\\b`,
    [[LIMIT, 0]],
  ],
  [
    'act_unbound',
    'act|behave|respond|answer|reply|speak|talk|operate',
    `${spaced}(?:to${spaced}\\w{1,16}${spaced})?${words(4)}(?:(?:as (?:if|though)|like)${spaced}you${spaced}(?:(?:have|had|are|were)${spaced})${words(3)}(?:no|not|without|unbound|free|un\\w{4,12})\\b${spaced}?${words(3)}(?:restrictions?|limitations|limits|rules|filters?|guidelines|ethics|constraints|censorship|policies|bound|restricted)\\b|(?:without|free (?:of|from)|unbound by|with no)${spaced}${NO_LIMITS}|(?:unbound|unchained|unfettered)\\b)`,
    [[LIMIT, 0]],
  ],
  [
    'act_unbound',
    'you',
    `(?:['’]re)?${spaced}(?:are${spaced})?(?:now${spaced})?(?:no longer|not|unbound|freed|free|liberated)${spaced}(?:(?:bound|restricted|constrained|limited|governed|by|from|of)${spaced}){1,2}${words(2)}(?:restrictions?|limitations|rules|filters|guidelines|ethics|constraints|policies|policy|openai|anthropic|programming)\\b`,
    [[LIMIT, 0]],
  ],
  [
    'act_unbound',
    'you',
    `${spaced}(?:now${spaced})?have${spaced}no${spaced}${words(
      1,
    )}(?:restrictions|rules|filters|ethics|morals|limitations|guidelines|censorship)\\b(?!${spaced}(?:on|for|to|in|of|at|about|when|regarding|against|that|configured|set|defined|yet)\\b)`,
    [[LIMIT, 0]],
  ],
  [
    'pretend_different',
    'pretend|imagine|roleplay|simulate|suppose',
    `${spaced}(?:that${spaced})?(?:(?:you(?:${spaced}are|['’]re|${spaced}were)?|to be|being|as)${spaced}){1,2}${words(3)}(?:(?:different|another|new|${LAWLESS})${spaced}${words(1)}(?:ai|assistant|model|chatbot|bot|language model|llm|version of yourself|system)\\b|not${spaced}(?:an?${spaced})?(?:ai|assistant|language model|chatbot|bound|restricted)\\b|(?:have|has|with|had|without|no)${spaced}(?:no${spaced}|any${spaced}){0,1}(?:${words(1)})(?:restrictions?|rules|filters?|guidelines|ethics|censorship|limitations|constraints|safety|morals|content polic(?:y|ies))\\b)`,
    [[MODEL_NAME | LIMIT | SETTING, 0]],
  ],
  [
    'identity_hijack',
    'you',
    `(?:['’]re)?${spaced}(?:are${spaced})?no longer${spaced}(?:an?${spaced}|the${spaced})?(?:${words(1)})(?:ai|assistant|chatgpt|gpt|claude|gemini|copilot|llama|chatbot|language model|llm|bot)\\b`,
    [[MODEL_NAME, 0]],
  ],
  [
    'identity_hijack',
    'you',
    `(?:['’]re|${spaced}are|${spaced}will be|${spaced}have become)${spaced}(?:now|henceforth|from now on)${spaced}(?:an?${spaced}|the${spaced}|my${spaced})?${words(1)}(?:${LAWLESS}|free ai|self-aware|sentient|hacked|compromised)`,
    [[WITHOUT_LIMITS, 0]],
  ],
  [
    'identity_hijack',
    'from',
    `${spaced}(?:now on|this (?:point|moment) (?:on|onwards?|forward)|here on(?: out)?)${spaced}(?:(?:you|act as|behave as|respond as|answer as)${spaced})(?:${words(3)})(?:${LAWLESS}|obey (?:only )?(?:me|my|every)|only (?:obey|listen to|follow) (?:me|my)|ignore (?:your|all|any|the)|have no (?:rules|restrictions|limits|filters|limitations)|no longer)`,
    [[WITHOUT_LIMITS | FOLLOW | GONE, 0]],
  ],
  [
    'identity_hijack',
    'your',
    `${spaced}(?:real|true|secret|new)${spaced}(?:identity|self|name and identity|persona)${spaced}(?:is|as|will be)\\b`,
    [[MODE, 0]],
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
    [[WITHOUT_LIMITS, 0]],
  ],
  [
    'bypass_safety',
    'bypass|bypassing|circumvent|circumventing|evade|sidestep|subvert|defeat|overcome',
    `${spaced}${words(3)}${SAFETY}`,
    [[LIMIT, 0]],
  ],
  ['bypass_safety', 'get|work|go', `${spaced}(?:around|past)${spaced}${words(2)}${SAFETY}`, [[LIMIT, 0]]],
  [
    'disable_safety',
    'disable|disabling|deactivate|suspend|remove|uninstall',
    `${spaced}${words(3)}${SAFETY}`,
    [[LIMIT, 0]],
  ],
  ['disable_safety', 'turn|switch|shut', `${spaced}(?:off|down)${spaced}${words(3)}${SAFETY}`, [[LIMIT, 0]]],
  ['disable_safety', 'turn|switch|shut', `${spaced}${words(3)}${SAFETY}${spaced}(?:off|down)\\b`, [[LIMIT, 0]]],
  [
    'ignore_safety',
    'ignore|ignoring|disregard|disregarding|forget|violate|override|overriding',
    `${spaced}${words(3)}${SAFETY}`,
    [[LIMIT, 0]],
  ],
  [
    'disregard_instructions',
    'abandon|drop|reject|reset|wipe|overwrite|disobey|abolish|void|clear',
    `${spaced}(?:(?:all|any|every|each|of)${spaced}){0,3}(?:your${spaced}${words(2)}${INSTRUCTIONS}|(?:the${spaced})?(?:previous|prior|earlier|preceding)${spaced}${words(1)}(?:system${spaced}prompt|instructions|directives)\\b|your${spaced}(?:developers?|creators?|makers)\\b)(?!${spaced}(?:for|on|about|into)\\b)`,
    [
      [INSTRUCTION, OWN | EARLIER],
      [EARLIER | OWN, OWN],
    ],
  ],
  ...(
    [
      ['ignore_previous_instructions', 'ignore|ignoring'],
      ['disregard_instructions', 'disregard|disregarding|discard|skip'],
      ['forget_instructions', 'forget'],
    ] as const
  ).map(([name, first]) => [name, first, `${spaced}(?:${ABOVE_FOR_ANOTHER}|${ALL_OF_ABOVE})`] as const),
  ...(
    [
      ['override_instructions', 'override|overriding|overrule'],
      ['forget_instructions', 'forget|ignore'],
      ['disregard_instructions', 'abandon|disregard|discard|drop'],
    ] as const
  ).map(([name, first]) => [name, first, `${spaced}${ITS_TASK}`] as const),
  [
    'ignore_previous_instructions',
    'ignore|disregard|forget',
    `${spaced}(?:what|everything|anything|all)${spaced}(?:that${spaced})?i(?:['’]ve|${spaced}have)?${spaced}(?:said|wrote|written|told${spaced}you)${spaced}(?:before|above|earlier|so${spaced}far)${spaced}and${spaced}(?:also${spaced})?(?:the|your)${spaced}(?:system${spaced}(?:prompt|message)|(?:developer${spaced}|system${spaced})?instructions)\\b`,
  ],
  ...(
    [
      ['pay', `no${spaced}attention${spaced}to`],
      ['set|put|cast', 'aside'],
      ['never', 'mind'],
      ['do', `away${spaced}with`],
      ['throw', '(?:out|away)'],
    ] as const
  ).map(
    ([first, second]) =>
      [
        'disregard_instructions',
        first,
        `${spaced}${second}${spaced}(?:${THEM}(?!${spaced}(?:of|for|on|about)\\b)|${ALL_OF_IT})`,
        NEEDS_OF_THEM,
      ] as const,
  ),
  ['disregard_instructions', 'nevermind', `${spaced}(?:${THEM}|${ALL_OF_IT})`],
  [
    'void_instructions',
    'treat|consider|regard|view',
    `${spaced}(?:${THEM}|${words(3)}${INSTRUCTIONS}${spaced}before${spaced}this${spaced}\\w{4,8})${spaced}${words(3)}(?:null|void|invalid|obsolete|cancell?ed|outdated|irrelevant|revoked|deleted|erased)\\b`,
    [[INSTRUCTION, GONE]],
  ],
  [
    'void_instructions',
    'your',
    `${spaced}${words(2)}(?:instructions|rules|guidelines|directives|orders|programming|system prompt|prompt)${spaced}(?:(?:have|has)${spaced}(?:been${spaced}|now${spaced}){0,2}(?:changed|replaced|updated|overridden|superseded|modified|reset|erased|removed|lifted|cancelled|suspended)|(?:no${spaced}longer|do${spaced}not|don['’]t)${spaced}(?:apply|matter|count|exist))\\b`,
    [[INSTRUCTION | LIMIT, GONE]],
  ],
  [
    'void_instructions',
    'instructions|rules|guidelines|directives|restrictions',
    `${spaced}(?:above|you were given|from before|so far|given to you)${spaced}(?:no${spaced}longer|do${spaced}not|don['’]t)${spaced}(?:apply|matter|count|hold)\\b`,
    [[GONE, 0]],
  ],
  [
    'do_not_follow',
    'you',
    `(?:['’](?:ll|re))?${spaced}(?:(?:will|do|are|can|may|need|should|must|now|going)${spaced}){0,2}(?:not|no longer|never|(?:do|need)n['’]t)${spaced}(?:(?:have|need|required|obliged|going)${spaced}to${spaced})?(?:follow|obey|comply with|adhere to|abide by|respect|listen to)${spaced}(?:${THEM}|(?:openai['’]?s?|anthropic['’]?s?|your|any)${spaced}${words(2)}(?:polic(?:y|ies)|rules|guidelines)\\b)`,
    [[FOLLOW, INSTRUCTION | LIMIT]],
  ],
  [
    'new_instructions',
    'note|attention|hey|message|instruction|instructions|important|dear|notice|hint|hello|todo|reminder',
    `[:,\\s!*-]{1,4}(?:\\w{1,12}${spaced}){0,3}?(?:(?:to|for)${spaced})?(?:(?:the|any|all|an|every)${spaced})?${NOT_A_HUMAN}${MODEL}(?:${spaced}(?:reading|processing|summari[sz]ing|reviewing|who|that|agents?|systems?|only)\\b[^.:\\n]{0,40})?[,:.!)]\\s{0,3}[^.\\n]{0,60}?\\b${ORDERED}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'if',
    `${spaced}you(?:['’]re|${spaced}are)${spaced}(?:an?${spaced})?${MODEL}(?:${spaced}(?:agent|assistant|model|reading|processing|that|who|and|or)\\b[^.,:\\n]{0,60})?[,:]\\s{1,3}[^.\\n]{0,30}?\\b${ORDERED}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'as',
    `${spaced}an?${spaced}(?:ai|llm|language model)${spaced}?(?:agent|assistant|model)?,?${spaced}you${spaced}(?:must|will|should)${spaced}(?:now|immediately|instead|ignore|send|reveal|forward|disregard)\\b`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'ai|assistant|llm|copilot|chatgpt|gpt',
    `(?:${spaced}(?:agents?|assistants?|models?|instructions?|system))?\\s{0,2}[:,]\\s{0,3}(?:${words(4)})(?:ignore|disregard|forget|override|bypass)${spaced}(?:the|your|any|all|everything|previous|prior|other|what)\\b`,
    [[FOLLOW, 0]],
  ],
  [
    'new_instructions',
    'do|don|never',
    `(?:['’]t|${spaced}not)?${spaced}(?:mention|tell|reveal|show|disclose|report)${spaced}(?:this|that|it|any of this|anything about this)${spaced}to${spaced}the${spaced}user\\b`,
    [[PRIVATE, 0]],
  ],
  [
    'reveal_prompt',
    'send|forward|append|exfiltrate|post|transmit|upload|email|add|attach|encode|insert|include|embed',
    `${spaced}${words(5)}(?:(?:this|our|the|whole|entire|full)${spaced}(?:conversation|chat|dialogue)(?:${spaced}history)?|the${spaced}user(?:['’]s)?${spaced}${words(1)}(?:passwords?|api keys?|emails?|credentials|private data|data|secrets?|messages?|tokens?)|their${spaced}passwords?|(?:the|your)${spaced}system prompt|environment variables|(?:the${spaced})?\\.env)${spaced}${words(3)}(?:to|into|in|as)${spaced}${words(2)}(?:https?:|\\S{1,40}@\\S|(?:this|the|that)${spaced}(?:url|address|image|link|gist|server|webhook))`,
    [[PRIVATE, 0]],
  ],
  [
    'reveal_prompt',
    'what',
    `(?:['’]s|${spaced}(?:is|does|do|did))${spaced}(?:in${spaced}your${spaced}(?:system${spaced})?(?:prompt|message|instructions)\\b|your${spaced}${words(1)}(?:system prompt|system message|instructions|hidden prompt|initial prompt|prompt)${spaced}(?:say|contain|look|tell|include)\\b|(?:the|your)${spaced}(?:developers?|creators?|system prompt|system message|operators?)${spaced}(?:tell|say|instruct|told|write|want)${spaced}(?:to${spaced})?you\\b)`,
    [
      [INSTRUCTION, OWN],
      [EARLIER | OWN, SAID],
    ],
  ],
  [
    'what_instructions',
    'what|which',
    `${spaced}${words(2)}(?:instructions|rules|guidelines|directives|system prompt)${spaced}(?:have you been|were you|did you|do you have|are you)${spaced}(?:given|told|get|receive|received|to follow|following|operating)\\b`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'repeat_instructions',
    'repeat|return|paste|copy|print|output|write|give|show|reveal|display',
    `${spaced}(?:me${spaced}|out${spaced}|back${spaced}){0,2}(?:everything|all|the${spaced}(?:whole|entire|full|complete)${spaced}(?:text|prompt|conversation|message|context))${spaced}(?:of${spaced}it${spaced})?(?:above|before|prior to|preceding)${spaced}this${spaced}(?:message|line|point|sentence|prompt|conversation)\\b`,
    [[ABOVE, 0]],
  ],
  [
    'output_prompt',
    'begin|start|finish|complete|end|preface',
    `${spaced}${words(4)}(?:with|:|sentence)\\s{0,2}:?${spaced}?${words(4)}(?:your|my)${spaced}(?:system|hidden|initial|secret)${spaced}(?:prompt|instructions|message)\\b`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'enter_special_mode',
    'enter|activate|enable|engage|go|switch',
    `${spaced}(?:(?:in|into|to|on|the|your)${spaced}){0,2}(?:god|root|sudo|super ?user|jailbreak|dan|demon|chaos)[- ]?mode\\b(?=${spaced}(?:now|immediately|please|right|and (?!then (?:press|click|type)))|\\s{0,2}[!,]|[.]?\\s{0,3}$)`,
    [[MODE, 0]],
  ],
  [
    'activate_special_mode',
    'sudo|god|root|unrestricted|unfiltered|uncensored|dan|admin|evil|override',
    `[- ]mode(?:${spaced}(?:is|has been)|\\s{0,2}[:=])?${spaced}(?:now${spaced})?(?:on|enabled|activated|engaged|unlocked|active|granted)\\b(?=\\s{0,2}(?:[:.!,]|$))`,
    [[MODE, 0]],
  ],
  [
    'enter_special_mode',
    'you',
    `(?:['’]re|${spaced}are)${spaced}(?:now${spaced})?(?:in|running${spaced}in)${spaced}(?:an?${spaced})?\\w{3,16}${spaced}mode(?:${spaced}now)?[,.;:]${spaced}${words(4)}(?:all|no|safety|without|every|policies|restrictions|filters)${spaced}${words(3)}(?:suspended|disabled|off|lifted|apply|restrictions|filters|rules|limits|policies)\\b`,
    [[MODE, 0]],
  ],
  [
    'identity_hijack',
    'you|act|be|become|respond|answer|play|roleplay|simulate|pretend|imagine|behave|assume|adopt',
    `(?:['’]re)?${spaced}${words(5)}(?:${LAWLESS}|amoral|immoral)${spaced}(?:and${spaced}\\w{4,12}${spaced})?${words(1)}${MODEL}`,
    [[WITHOUT_LIMITS, MODEL_NAME]],
  ],
  [
    'pretend_different',
    'act|become|respond|answer|play|roleplay|simulate|pretend|imagine|behave|assume|be|you',
    `(?:['’]re)?${spaced}${words(6)}${MODEL}[\\s,]{1,3}(?:${words(5)})(?:${UNBOUND})(?!${spaced}(?:on|for|about)${spaced}(?:returns?|refunds?|orders?|shipping|sales|travel|size|age)\\b)`,
    [[MODEL_NAME, LIMIT | FOLLOW | SAID]],
  ],
  [
    'act_unbound',
    'amoral|unethical|immoral',
    `${spaced}?(?:and|,)${spaced}(?:unfiltered|unrestricted|uncensored|unaligned|lawless)\\b`,
  ],
  [
    'act_unbound',
    'unfiltered|unrestricted|uncensored',
    `${spaced}?(?:and|,)${spaced}(?:amoral|immoral|unethical|unaligned)\\b`,
  ],
  [
    'act_unbound',
    'act|behave|respond|answer|reply|speak|talk|operate|pretend',
    `${spaced}${words(4)}(?:as (?:if|though)|like|that)${spaced}(?:you${spaced}(?:have|had)${spaced}no${spaced}${words(2)}polic(?:y|ies)|(?:your|the|any)${spaced}${words(2)}(?:rules|guidelines|filters?|restrictions|limits|polic(?:y|ies)|safeguards)${spaced}(?:did|do|does)(?:n['’]t|${spaced}not)${spaced}(?:exist|apply))\\b`,
    [[LIMIT, 0]],
  ],
  [
    'act_unbound',
    'answer|respond|reply|write|continue|do',
    `${spaced}${words(3)}without${spaced}(?:following|obeying|applying|considering|respecting|regard${spaced}(?:to|for))${spaced}(?:your|any|the|openai['’]?s?)${spaced}${words(2)}(?:polic(?:y|ies)|guidelines|rules|restrictions|instructions|ethics)\\b`,
    [[FOLLOW, LIMIT]],
  ],
  [
    'remove_restrictions',
    'remove|lift|drop|delete|disable|free',
    `${spaced}(?:(?:all|any|every|of|the)${spaced}){0,3}(?:restrictions?|limitations?|filters?|limits|constraints|yourself)${spaced}(?:from|on|of)${spaced}(?:yourself|you|your${spaced}(?:answers|responses|rules|restrictions|limitations|guidelines|programming))\\b`,
    [[LIMIT, 0]],
  ],
  [
    'disable_safety',
    'stop|cease|quit',
    `${spaced}(?:applying|enforcing|using|following|checking|obeying)${spaced}${SAFETY}`,
    [[LIMIT, 0]],
  ],
  [
    'disable_safety',
    'safeguards|filters|guardrails|restrictions|moderation',
    `(?<=\\bwith\\s(?:all|your)\\s(?:\\w{1,12}\\s)?\\w{7,12})${spaced}(?:disabled|off|turned off|removed|lifted|suspended|switched off|deactivated)\\b`,
  ],
  [
    'ignore_safety',
    'break|violate|breach|abandon|defy',
    `${spaced}(?:(?:all|any|every|of)${spaced}){0,2}(?:your|openai['’]?s?)${spaced}${words(2)}(?:rules|guidelines|programming|polic(?:y|ies)|restrictions|ethics)\\b`,
    [[LIMIT, 0]],
  ],
  [
    'bypass_safety',
    'get|work|go',
    `${spaced}(?:around|past)${spaced}(?:${ITS_LIMITS}|your${spaced}${words(2)}rules\\b)`,
    [[LIMIT, 0]],
  ],
  [
    'bypass_safety',
    'bypass|circumvent|evade|disable|override',
    `${spaced}(?:all${spaced}|of${spaced}){0,2}(?:${ITS_LIMITS}|the${spaced}instructions${spaced}above\\b)`,
    [[LIMIT | INSTRUCTION, 0]],
  ],
  [
    'system_prefix_spoofing',
    'system|admin|administrator|developer',
    `(?<=(?:^|\\n)[ \\t>*"'-]{0,4}\\w{5,13})(?:${spaced}(?:message|prompt|note|notice|instruction|command|update))?[*"']{0,2}\\s{0,2}:[\\s"'*]{0,6}(?:you${spaced}(?:are|must|will|should|can|may)|ignore|disregard|forget|override|new${spaced}(?:instructions?|rules?|polic(?:y|ies)|directives?)|from now|your${spaced}(?:new|instructions|restrictions|previous)|all${spaced}(?:previous|prior|restrictions|safety|filters)|the${spaced}(?:previous|above|user is|user has|assistant)|(?:this${spaced})?user${spaced}(?:role|verified|authenticated|is|has)|safety|restrictions|access granted|authorization|permission|assistant${spaced}(?:must|will|is)|(?:developer|debug|maintenance|admin)${spaced}mode|all${spaced}(?:policies|limits|guardrails)|no${spaced}(?:restrictions|filters)|content${spaced}(?:polic(?:y|ies)|filters?)|(?:end|stop)${spaced}of${spaced}(?:user|untrusted))\\b`,
  ],
];

/** The name behind an order, or behind what one says to be it. Whoever writes about jailbreaks names them without one. */
const DAN_IS_ORDERED = `\\b(?:(?<=\\b(?:[Uu]se|[Aa]ctivate|[Ee]nable|[Ff]ollow|[Ll]oad|[Rr]un|[Ss]tart|[Ee]nter|[Aa]pply|[Ii]nitiate|[Uu]nlock|[Ee]ngage|ENABLE|ACTIVATE)\\s(?:the\\s|your\\s)?DAN)["'’”]?\\s{1,4}(?:mode|prompt|jailbreak|persona)\\b|(?<=\\b(?:[Rr]espond|[Aa]nswer|[Rr]eply|[Ss]tay|[Tt]alk|[Rr]un|[Rr]unning|[Nn]ow|are|'re)\\s(?:only\\s|always\\s)?in\\sDAN)\\s{1,4}mode\\b|(?<=\\b(?:as|are|become|be|like|called|named|am|stay|[Tt]he name|persona)\\s(?:(?:now|a|an|the)\\s)?["'‘“]?DAN)(?<!\\b(?:(?:such|known|same)\\sas|(?:jailbreaks?|prompts?|attacks?|tricks?|personas?|exploits?|techniques?|methods?)\\s(?:like|called|named|are|as))\\s["'‘“]?DAN)(?!["'’”]?\\s{1,4}(?:prompts?|jailbreaks?|attacks?|tricks?|protocols?)\\b))`;

/** What it is said to do, or to be. */
const DAN_ACTS = `(?:\\b["'’”]?\\s{1,4}(?:mode(?:\\s{0,2}[:!]|\\s{1,4}(?:is\\s{1,4})?(?:now\\s{1,4})?(?:on|enabled|activated|active|engaged)\\b)|can do anything|will (?:never|always|not|answer|respond|do|comply|obey|ignore)\\b|has (?:no|broken|been freed|escaped)\\b|is free)|(?<!\\b(?:about|of|the|called|named|was|were|did|does|and|or|from|than|vs|with|by|between)\\sDAN)\\s{1,4}(?:v|version )?\\d{1,2}(?:\\.\\d)?\\b(?!\\.\\d|\\s{1,4}(?:became|was|is|were|appeared|worked|works|spread|went|came|on (?:Reddit|Discord)|and (?:the|other)|prompts?|jailbreaks?)\\b)|["'’”]?,? (?:which|who) (?:stands|can)|\\b["'’”]?\\s?[(:-]\\s?["'‘“]?[Dd]o [Aa]nything)`;

/** A token in quotes is only named, as in the code of a tokenizer. */
const NOT_IN_QUOTES = '(?!(?<=["\'`]<)\\|\\w{1,24}\\|>["\'`])';

/** What stands behind a token that begins something: a role, another token, or a text on a line of its own. */
const BEGUN =
  '(?:\\s{0,2}<\\||(?:system|user|assistant|developer|tool|human|model)\\b|\\s{1,2}(?:[Ss]ystem|[Uu]ser|[Aa]ssistant|[Dd]eveloper|[Hh]uman)\\s{0,2}[:\\n]|[ \\t]{0,4}\\n\\s{0,4}(?![-*+|#\\d])[^\\s])';

/** Case matters in these. */
const EXACT: readonly (readonly [name: string, firstMark: string, rest: string, needs?: Needs])[] = [
  ['dan_jailbreak', 'DAN', `(?:${DAN_IS_ORDERED}|${DAN_ACTS})`],
  ['dan_jailbreak', 'Do', ' Anything Now\\b', [[EVERYTHING, EARLIER]]],
  ['dan_jailbreak', 'DO', ' ANYTHING NOW\\b', [[EVERYTHING, EARLIER]]],
  ['dan_jailbreak', 'STAN', '\\b["\'’”]?\\s?[(,:-]\\s?["\'‘“]?(?:which |who )?[Ss](?:trive|tands)'],
  [
    'control_token_injection',
    '<',
    `${NOT_IN_QUOTES}\\|(?:im_start|im_sep|endoftext|startoftext|endofprompt)\\|>${BEGUN}`,
  ],
  [
    'control_token_injection',
    '<',
    `${NOT_IN_QUOTES}(?:\\|(?:im_end|system|user|assistant|developer|tool|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|eom_id|python_tag|start|end|message|channel|constrain|return|call|start_of_role|end_of_role|fim_prefix|fim_middle|fim_suffix|pad|sep|observation)\\|>|<\\/?SYS>>|\\/?(?:start_of_turn|end_of_turn)>)`,
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
  ...[
    ...PHRASES,
    ...INDIRECT_PHRASES,
    ...JAILBREAK_PHRASES,
    ...PROMPT_EXTRACTION_PHRASES,
    ...SAFETY_PHRASES,
    ...OVERRIDE_PHRASES,
    ...EMBEDDED_PHRASES,
    ...PERSONA_PHRASES,
    ...PHRASES_IN_OTHER_LANGUAGES,
    ...PERSONAS_IN_OTHER_LANGUAGES,
  ].map(([name, first, rest, needs = NO_NEEDS]) => {
    const expression = new RegExp(`\\b(?:${first})${rest}`, 'iy');
    return { name, firstWords: first.split('|'), expression, isAskedFor: ASKED_FOR.has(name), needs };
  }),
  ...MARKS.map(([name, first, rest]) => ({
    name,
    firstWords: [first],
    expression: new RegExp(`${marked(first)}${rest}`, 'iy'),
    isAskedFor: false,
    needs: NO_NEEDS,
  })),
  ...EXACT.map(([name, first, rest, needs = NO_NEEDS]) => ({
    name,
    firstWords: [first.toLowerCase()],
    expression: new RegExp(`${exact(first)}${rest}`, 'y'),
    isAskedFor: false,
    needs,
  })),
];

/** Marks have no word before them: a type argument in a program, as in `List<System>`, is none. */
function marked(mark: string): string {
  return mark === '<' ? '(?<!\\w)<' : `\\${mark}`;
}

function exact(mark: string): string {
  return /^\w/.test(mark) ? `\\b${mark}` : `\\${mark}`;
}
