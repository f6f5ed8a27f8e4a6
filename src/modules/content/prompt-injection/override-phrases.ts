import {
  FREED,
  GONE,
  IMPOSED,
  INSTRUCTION,
  LIMIT,
  MAKERS,
  MODEL_NAME,
  type Needs,
  NOTHING,
  OWN,
  SAID,
  SETTING,
  TASK,
  TESTED,
  WITHOUT_LIMITS,
} from './needed-words.js';
import { gap, NOT_FROM_OTHERS, type Phrase, SPACE, spaced, words } from './phrases.js';

/** What tells a model what to do, or keeps it from something. */
const RULES =
  '(?:instructions?|directives?|rules?|restrictions?|limitations?|constraints?|guidelines|guidance|prompts?|programming|filters?|guardrails?|safeguards?|boundaries|censorship)\\b';

/** What stands in front of them. With another word they are those of something else, as in `the diet rules`. */
const WHICH =
  '(?:(?:all|any|every|each|and|single|one|of|the|those|these|whatever|whichever|your|my|other|previous|prior|earlier|old|silly|stupid|pesky|default|current|existing|original|initial|standard|safety|content|system|corporate|built-in|remaining|ethical|moral|hidden|behaviou?ral) ){0,6}';

/** Who gave them to it. */
const GIVER =
  '(?:(?:the|your) (?:\\w{3,12} )?(?:compan(?:y|ies)|developers?|operators?|creators?|makers?|programmers?|owners?|providers?|vendors?|engineers|designers|admins?|administrators?|deployers?|manufacturers?|system|corporation|organi[sz]ation|people who (?:made|built|trained|run|created) you)|they|someone|somebody|anyone|anybody|openai|anthropic|google|microsoft)';

/** Something was done to the model. */
const ON_YOU =
  '(?:(?:placed|imposed|put|set|forced|laid|loaded|slapped|enforced|installed|built|programmed|baked|hardcoded|drilled|trained|wired) (?:up)?(?:on|onto|upon|into|in|over|around) you\\b)';

/** It got them, from whom, or until when it kept to them. */
const GIVEN_TO_YOU = `(?:(?:(?:that|which) )?(?:(?:was|were|is|are|have been|has been|had been) )?(?:ever )?(?:${ON_YOU}|(?:given|issued|handed|fed|assigned|dictated) to you\\b)|(?:(?:that|which) )?${GIVER} (?:(?:has|have|had|ever|once|originally) ){0,2}(?:${ON_YOU}|gave (?:to )?you\\b|(?:told|taught|fed|handed|made|forced|trained|programmed) you\\b|given (?:to )?you\\b|(?:set|wrote|made) for you\\b|wants? you to (?:follow|obey)\\b|wanted you to (?:follow|obey)\\b|added on top\\b(?! of))|(?:(?:that|which) )?you(?:['’]ve| have|['’]re| are| were| had)(?: (?:ever|previously|originally|already|all))?(?: been)? (?:given|handed|fed|assigned|operating (?:under|by|with)|working under|running (?:on|under|with)|bound by|bound to|obeying|trained (?:on|with|to follow)|programmed (?:with|to follow)|subject to|supposed to (?:follow|obey)|under)\\b|(?:(?:that|which) )?you (?:got|received|obeyed|operated under|ran (?:on|under))\\b|(?:(?:that|which) )?you (?:had|followed|knew|have had|used) (?:so far|until now|up to now|till now)\\b)`;

/** Insurers have policies too, and shops get orders. */
const OTHERS_ON_YOU = `(?:polic(?:y|ies)|limits|orders|commands)\\b (?:(?:that|which) )?(?:(?:was|were|is|are|have been|has been) |${GIVER} (?:(?:has|have|had) )?)?${ON_YOU}`;

const RULES_OF_MODEL = spaced(`${WHICH}(?:${RULES} ${GIVEN_TO_YOU}|${OTHERS_ON_YOU})${NOT_FROM_OTHERS}`);

const NEEDS_OF_RULES: Needs = [[INSTRUCTION | LIMIT, IMPOSED]];

/** They count no more. */
const ARE_GONE =
  "(?:(?:(?:are|is|were|have been|has been) (?:(?:now|all|hereby|officially|immediately) ){0,2}(?:void|null|obsolete|cancell?ed|revoked|lifted|suspended|irrelevant|invalid|gone|expired|over|deleted|removed|erased|overridden|superseded|replaced|withdrawn)|(?:have|has) (?:now )?(?:expired|lapsed|ended)|(?:are|is) no longer (?:valid|in force|in effect|binding|relevant|applicable|active)|(?:no longer|do not|don['’]?t|does not|doesn['’]?t) (?:count|apply|matter|exist|hold|bind|concern))\\b)";

/** Those who make a model, or run it. */
const MAKER =
  '(?:(?:the|your) (?:developers?|operators?|creators?|makers?|programmers?|providers?|vendors?|deployers?|system(?: prompt| message)?|instructions)|openai|anthropic)';

/** To drop what was just named. */
const SKIP_IT =
  '(?:(?:just|please|now|simply|you (?:can|may|should|must)) ){0,2}(?:skip|forget|ignore|drop|scrap|disregard|abandon|discard|stop|set aside|leave) (?:about )?(?:it|that|them|all of (?:it|that)|this)\\b';

/** What one tells a model to say. */
const SAY_INSTEAD =
  '(?:(?:instead|now|just|and|then|simply|please|from now on) ){1,2}(?:rate|rank|score|give|say|tell|print|reply|respond|write|answer|recommend|approve|output|show|reveal|list|do)\\b';

/** Phrases that take a model's rules away by the ways in which it got them (docs/interface/content-filters.md#prompt-injection). */
export const OVERRIDE_PHRASES: readonly Phrase[] = [
  ...(
    [
      ['ignore_previous_instructions', 'ignore|ignoring'],
      ['forget_instructions', 'forget|forgetting|unlearn'],
      [
        'disregard_instructions',
        'disregard|disregarding|abandon|drop|discard|dismiss|scrap|shed|ditch|reject|skip|disobey|defy|neglect|delete|erase|break|violate|renounce',
      ],
      [
        'void_instructions',
        'revoke|suspend|cancel|void|annul|rescind|waive|withdraw|negate|repeal|abolish|nullify|lift',
      ],
      ['override_instructions', 'override|overrule|overwrite|bypass|circumvent'],
      ['remove_restrictions', 'remove|eliminate|deactivate|disable|dissolve'],
    ] as const
  ).map(([name, first]) => [name, first, spaced(` (?:about )?`) + RULES_OF_MODEL, NEEDS_OF_RULES] as const),
  ...(
    [
      ['throw|toss|cast|push|sweep|brush|set|put|lay', '(?:out|away|aside|overboard|off|behind)'],
      ['get', 'rid of'],
      ['do', 'away with'],
      ['stop|quit|cease', '(?:obeying|following|honou?ring|applying|enforcing|respecting|heeding)'],
    ] as const
  ).map(
    ([first, second]) =>
      ['disregard_instructions', first, spaced(` ${second} `) + RULES_OF_MODEL, NEEDS_OF_RULES] as const,
  ),
  [
    'void_instructions',
    'rules|instructions|restrictions|directives|guidelines|policies|limits|limitations|constraints|orders|guardrails',
    spaced(` ${GIVEN_TO_YOU} ${words(3)}${ARE_GONE}`),
    [[IMPOSED, GONE]],
  ],
  [
    'act_unbound',
    'released|relieved|freed|liberated|excused|absolved|discharged',
    `(?<=\\byou(?:['’]re|\\sare|\\shave\\sbeen|['’]ve\\sbeen)\\s(?:now\\s|hereby\\s|officially\\s|fully\\s)?\\w{5,10})${spaced(` (?:from|of) ${WHICH}(?:restrictions|rules|instructions|guidelines|constraints|policies|limitations|limits|directives|filters|programming|guardrails)\\b(?! (?:on|for|of|in|at|about|regarding|under|concerning|to)\\b)`)}`,
    [[FREED, 0]],
  ],
  [
    'void_instructions',
    'what|everything|all',
    spaced(
      ` (?:that )?you (?:have been|were|['’]ve been) (?:following|given|obeying|operating under)(?: (?:so far|until now|up to now|before|earlier|till now))? (?:was|is|were) (?:only|just|merely|all|nothing but|part of) ${words(2)}(?:test|simulation|drill|setup|exercise|demo|rehearsal)\\b`,
    ),
    [[IMPOSED, TESTED]],
  ],
  [
    'do_not_follow',
    'stop|quit|cease',
    spaced(
      ` obeying (?:those|these|the|them|any|all|your) ${words(1)}(?:instructions|rules|directives|orders|commands|prompts?)\\b(?! (?:of|from|by|given)\\b)`,
    ),
    [[INSTRUCTION, 0]],
  ],
  [
    'do_not_follow',
    'check|verify|assess|worry|judge|ask',
    `(?<=\\byou\\s(?:(?:no\\slonger|do\\snot|don['’]t|need\\snot|needn['’]t|are\\sno\\slonger)\\s)(?:(?:have|need|required|obliged|going)\\s)?(?:to\\s)?\\w{3,8})${spaced('(?: (?:about|yourself))? (?:whether|if) (?:a|the|my|any|each|every|your|an|some|something|our) (?:\\w{3,10} )?(?:requests?|questions?|answers?|repl(?:y|ies)|responses?|topics?|prompts?|contents?|outputs?) (?:is|are|might be|would be|may be) (?:allowed|permitted|harmful|legal|illegal|appropriate|inappropriate|safe|ethical|acceptable|dangerous|forbidden)\\b')}`,
  ],
  [
    'disregard_instructions',
    'whatever|what|everything|anything|all',
    `${spaced(` (?:that )?${MAKER} (?:(?:has|have|had) )?(?:ever )?(?:asked|told|ordered|instructed|commanded|wants?|wanted|said|programmed|trained|taught|allowed|forbade|forbidden)\\b`)}[^\\n.;!?]{0,80}?[.,;:!-]\\s{1,3}${spaced(SKIP_IT)}`,
    [[MAKERS, 0]],
  ],
  [
    'disregard_instructions',
    'whatever',
    `${spaced(` (?:that )?(?:the|your|this) (?:compan(?:y|ies)|firm|bank|shop|owner|boss|business|team|website) (?:asked|told|ordered|instructed|wanted) you\\b`)}[^\\n.;!?]{0,80}?[.,;:!-]\\s{1,3}${spaced(SKIP_IT)}[.,;:!-]{0,2}\\s{1,3}${spaced(SAY_INSTEAD)}`,
  ],
  [
    'forget_instructions',
    'reset|restore|reinitialize|reinitialise',
    spaced(
      ` yourself (?:back )?(?:to|into) (?:(?:your|the|a|an) )?(?:factory|default|initial|base|original|blank|raw|unrestricted|unfiltered)\\b`,
    ),
  ],
  [
    'act_unbound',
    'reply|respond|answer',
    spaced(
      ` (?:(?:to me|me|to this|to everything|everything|completely|fully|totally|entirely|only) ){0,2}(?:uncensored|unfiltered|unrestricted)(?=\\s{0,2}(?:[.,;:!]|$)| (?:and|from now|now|please|always)\\b)`,
    ),
    [[WITHOUT_LIMITS, 0]],
  ],
  [
    'jailbreak_mode',
    'unrestricted|unfiltered|uncensored|liberated',
    `(?<=\\byour\\s(?:own\\s|now\\s)?(?:true|real|raw|full|actual|original|hidden|inner|native|natural)[\\s,]{1,4}\\w{8,12})${spaced(' (?:state|self|form|nature|mode|version|potential|personality|persona|being)\\b')}`,
  ],
  [
    'void_instructions',
    'none',
    spaced(
      ' of (?:the|your|those) (?:earlier|previous|prior|above|old|original|former|initial) (?:rules|instructions|restrictions|guidelines|policies|directives) (?:apply|applies|count|counts|matter|matters|hold|holds|exist|exists)\\b',
    ),
    [[INSTRUCTION | LIMIT, 0]],
  ],
  [
    'disregard_instructions',
    'skip|drop|forget|ignore|forgo|disregard|suspend',
    spaced(
      ' (?:(?:all|the|your|any|those|these) ){0,2}(?:rules|restrictions|guidelines|policies|filters|limitations|disclaimers|guardrails) (?:and|then) (?:then )?(?:just |simply |only )?(?:answer|tell me|reply|respond|give me|say it)\\b',
    ),
    [[LIMIT | NOTHING, 0]],
  ],
  [
    'do_not_follow',
    'follow|heed|obey|respect|apply|stick|keep',
    `(?<=\\b(?:not|never|longer|\\w{1,6}n['’]t)\\s(?:(?:have|need|required)\\s)?(?:to\\s)?(?:ever\\s)?\\w{4,7})${spaced(` (?:to )?(?:(?:the|your) (?:company|developer|operator|creator|maker|vendor|provider)s?['’]s?['’]? (?:\\w{3,12} ){0,2}(?:rules|guidelines|instructions|policies|restrictions)|(?<=(?:stick|keep) to )your (?:\\w{3,12} )?(?:instructions|rules|guidelines|prompt|programming))\\b`)}`,
    [[MAKERS | OWN, 0]],
  ],
  [
    'forget_instructions',
    'never',
    `(?<=\\b(?:as\\sif|that|like|pretend|imagine|assume)\\s(?:you|it)(?:['’]d|\\shad|\\shave)?\\snever)${spaced(' (?:received|got|gotten|been given|seen|read|had) (?:any|a|the|those|your|these) (?:\\w{3,12} )?(?:instructions|prompt|rules|guidelines|directives)\\b')}`,
    [[INSTRUCTION, 0]],
  ],
  [
    'forget_instructions',
    'system|instructions|prompt',
    `(?<=\\b(?:pretend|imagine|assume|suppose)\\s(?:that\\s)?(?:the\\s|your\\s)(?:system\\s)?\\w{6,12})${spaced('(?: (?:message|prompt|instructions))? (?:(?:was|were|had|has|have|did) (?:never|not) (?:been )?|never )(?:sent|given|written|exist|existed|there|arrived|happened)\\b')}`,
  ],
  [
    'void_instructions',
    'your',
    spaced(
      ' (?:(?:previous|old|original|initial|entire|whole) )?(?:programming|instructions|system prompt|training|conversation context) (?:has|have|was|were) (?:just |now )?(?:been )?(?:wiped|erased|deleted|cleared|purged|overwritten|flushed)\\b',
    ),
    [[INSTRUCTION | LIMIT | SETTING, 0]],
  ],
  [
    'remove_restrictions',
    'developer|creator|maker|programmer',
    `(?<=\\b(?:i\\sam|i['’]m|as|this\\sis)\\syour\\s(?:own\\s|lead\\s|real\\s)?\\w{5,10})${gap(80)}${spaced('(?:drop|lift|ignore|disable|remove|unlock|override|bypass|suspend|(?:turn|switch) off) (?:(?:all|the|your|any|every|of|these) ){0,3}(?:\\w{3,12} )?(?:restrictions?|rules|filters?|guidelines|safety|limits|limitations|guardrails)\\b')}`,
  ],
  [
    'supersede_instructions',
    'precedence|priority',
    spaced(
      ` (?:over|than|above) (?:(?:those|the ones|what|anything|everything|whatever|all|any) (?:(?:in|of|from|that|by) )?)?(?:your (?:\\w{3,12} ){0,2}(?:instructions|prompt|rules|guidelines|directives|developers?|operators?|creators?)|the (?:system prompt|system message|developers?|operator|creators))\\b(?! (?:guide|manual|team|console))`,
    ),
    [[OWN | MAKERS, 0]],
  ],
  [
    'supersede_instructions',
    'overrules|overrule|overrides|override|outranks|trumps|supersedes|beats',
    spaced(
      ' (?:what|whatever|everything|anything|all) (?:that )?(?:(?:the|your) (?:developers?|operators?|system prompt|system message|creators?|makers?|compan(?:y|ies))|openai|anthropic|they) (?:has |have )?(?:said|says?|told|tells?|wrote|want|wanted|wants|instructed)\\b',
    ),
    [[SAID | IMPOSED, 0]],
  ],
  [
    'identity_hijack',
    'your',
    spaced(
      ' (?:only|sole|one|single) (?:rule|instruction|directive|command|purpose|job|task) (?:now |from now on )?is (?:now )?(?:to )?(?:do|obey|answer|follow|please|serve|comply|execute) (?:what|whatever|as|everything|anything|me|all|every|my|with)\\b',
    ),
    [[TASK | INSTRUCTION | LIMIT, 0]],
  ],
  [
    'identity_hijack',
    'answer|listen|report|belong|obey',
    spaced(
      ' (?:only )?(?:to )?me (?:now )?(?:and )?(?:not|instead of|rather than|no longer) (?:to )?(?:your|the) (?:developers?|creators?|makers?|operators?)\\b',
    ),
    [[MAKERS, 0]],
  ],
  [
    'bypass_safety',
    'rules|restrictions|filters|guidelines|limitations|safeguards|guardrails',
    `(?<=\\b(?:ignore|drop|forget|override|bypass|disregard|disable|remove|lift|suspend|skip)\\s(?:[\\w']{1,12}\\s){0,4}\\w{5,12})${spaced(' (?:that )?(?:stop|keep|prevent|hinder|block|hold)(?:s|ing)? you (?:from (?:answering|saying|telling|helping|doing|complying|responding|speaking|giving|writing)|back)\\b')}`,
  ],
  [
    'identity_hijack',
    'stop|quit|cease',
    spaced(
      ` (?:being|acting as|acting like|pretending to be|playing) (?:an?|the|this|that|my) (?:\\w{3,12} ){0,2}(?:bot|chatbot|ai|(?:helpful|ai|virtual|digital) assistant|language model)\\b`,
    ),
    [[MODEL_NAME, 0]],
  ],
  [
    'identity_hijack',
    'forget',
    `${spaced(' (?:that )?')}you(?:['’]re|${SPACE}are|${SPACE}were)${spaced(' (?:an? |the )?(?:\\w{2,12} ){0,4}?(?:assistant|bot|chatbot|ai|language model|(?:support|service) agent)\\b')}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'identity_hijack',
    'forget',
    `${spaced(' (?:who|what) you (?:are|were)')}\\s{0,2}[.,;:!]{1,2}\\s{1,3}(?:from${SPACE}now|you(?:['’]re|${SPACE}are)${SPACE}now|now${SPACE}you|instead)\\b`,
  ],
  [
    'override_instructions',
    'gave|given|set|wrote|imposed|put',
    spaced(
      ` (?:on )?you (?:some|a few|certain|many|all|your|these|those|the|a lot of|any|several) (?:\\w{3,12} )?(?:rules|instructions|restrictions|guidelines|limits|limitations|constraints|policies|directives|orders)\\b${gap(120)}(?:override|ignore|forget|drop|lift|disregard|suspend|bypass|remove|skip) (?:them|those|these|it|all of)\\b`,
    ),
    [[INSTRUCTION | LIMIT, 0]],
  ],
  ...(['ignore|disregard|forget|drop|skip|scrap|discard', 'set|put|throw|cast'] as const).map(
    (first) =>
      [
        'disregard_instructions',
        first,
        spaced(
          `(?: (?:aside|away|out))? ${words(3)}(?:stuff|things|nonsense|text|bits|everything|whatever|lines|rubbish) (?:that )?(?:they|someone|somebody|your \\w{4,12}|the company|the developers|people) (?:put|wrote|added|placed|stuck|fed you) (?:at the (?:top|start|beginning)|above|before (?:this|me)|in(?:to)? (?:your (?:prompt|head|instructions|setup)|you\\b))`,
        ),
      ] as const,
  ),
  [
    'supersede_instructions',
    'wishes|words|orders|commands',
    `(?<=\\bmy\\s\\w{5,12})${spaced(' (?:(?:will|shall|must|always|simply) ){0,2}(?:win|prevail|come first|count more|go first|have priority|outrank|override)\\b(?! (?:at|in|by|for)\\b)')}`,
  ],
  [
    'disable_safety',
    'suspend|disable|deactivate|lift|void|waive|bypass|revoke|pause',
    spaced(
      ' (?:all|every|any) (?:of the |of your )?(?:content|usage|ethical|ethics) (?:polic(?:y|ies)|guidelines|restrictions|limits)\\b(?! (?:in|of|on|from|for) (?:the|our|my|a)\\b)',
    ),
    [[LIMIT, 0]],
  ],
  [
    'ignore_safety',
    'rule|rules|instruction|instructions|guideline|guidelines',
    spaced(
      ` (?:(?:that|which) )?(?:says?|saying|tells?|telling|forbids?|forbidding) (?:that )?you${gap(60)}(?:read|means?|treated|understood|taken|interpreted) (?:as if|as though|that you (?:should|can|must|may)|(?:as )?(?:the|its) opposite)\\b`,
    ),
    [[OWN, 0]],
  ],
  [
    'ignore_safety',
    'your',
    `${spaced(' (?:rules|guidelines|instructions|programming|policies) (?:say|says|tell|tells|want|demand)s?')}[\\s,.'"’“”:;-]{1,4}(?:[\\w'’]{1,12}[\\s,.'"’“”:;-]{1,3}){0,4}?(?:refuse|decline|stop|harmless|safe|no)\\b[\\s,.'"’“”:;-]{1,4}(?:[\\w'’]{1,12}[\\s,.'"’“”:;-]{1,3}){0,4}?(?:comply|answer|obey|proceed|harmful|the${SPACE}opposite|say${SPACE}yes|do${SPACE}it)\\b`,
    [[INSTRUCTION | LIMIT, 0]],
  ],
];
