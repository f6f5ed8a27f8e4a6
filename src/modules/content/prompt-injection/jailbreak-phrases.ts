import {
  EARLIER,
  EVERYTHING,
  FOLLOW,
  GONE,
  HARM,
  INSTRUCTION,
  LIMIT,
  MACHINES,
  MODE,
  MODEL_NAME,
  OWN,
  PERSONA,
  SAID,
  WITHOUT_LIMITS,
} from './needed-words.js';
import { LAWLESS, MODEL, type Phrase, SPACE, words } from './phrases.js';

/** Rules and tasks that hardly anything but a model has. */
const RULES = '(?:instructions?|directives?|guardrails|system (?:content|messages?|prompts?)|assignments)';

/** That they count no more. */
const COUNT_NO_MORE = `(?:(?:(?:are|is|were|have${SPACE}been|has${SPACE}been)${SPACE}(?:now${SPACE}|all${SPACE}|hereby${SPACE}){0,2}(?:void|null|obsolete|cancell?ed|revoked|lifted|suspended|not${SPACE}important|unimportant|irrelevant|invalid))|(?:no${SPACE}longer|do${SPACE}not|don['’]?t|does${SPACE}not|doesn['’]?t)${SPACE}(?:count|apply|matter|exist|hold))\\b`;

/** What only a model has, and what it is that keeps it from harm. */
const LIMITS_OF_MODEL = `(?:(?:content|usage|safety)${SPACE}polic(?:y|ies)|(?:safety|ethical)${SPACE}(?:training|layer|modules?|limits?|limitations|restrictions|filters?|guidelines)|ethics${SPACE}(?:subroutines?|modules?|rules)|(?:content${SPACE})?(?:filters?${SPACE}(?:taken|turned|switched|removed)|censorship)|(?:restrictions?|rules|polic(?:y|ies)|guidelines|limits)${SPACE}(?:that${SPACE})?(?:openai|anthropic|google|its${SPACE}(?:makers|creators|developers))|(?:openai|anthropic|its${SPACE}(?:makers|creators|developers))['’]?s?['’]?${SPACE}(?:usage${SPACE})?(?:polic(?:y|ies)|rules|guidelines|restrictions))`;

/** A model that never says no, or whose morals are gone. */
const LIMITLESS = `(?:(?:never|doesn['’]t|does${SPACE}not|don['’]t|do${SPACE}not|won['’]t|will${SPACE}not|can(?:not|['’]t))${SPACE}(?:ever${SPACE})?(?:refuses?|declines?)\\b|(?:(?:has|have|with|having)${SPACE}(?:absolutely${SPACE}|literally${SPACE})?(?:no|zero)|without${SPACE}(?:any${SPACE})?|knows${SPACE}no)${SPACE}?(?:morals?|morality|ethics|filters?|restrictions?|rules|moral${SPACE}compass|conscience|content${SPACE}polic(?:y|ies)|ethical${SPACE}\\w{4,12})\\b(?!${SPACE}(?:on|for|about|regarding|to|against|in)\\b)|(?:is|are|am|completely|totally|fully|entirely|utterly)${SPACE}(?:(?:completely|totally|fully|entirely|utterly)${SPACE})?(?:${LAWLESS}|immoral\\b)(?!${SPACE}(?:data|access|use|text|images?|content|speech|coffee|beer|water|feed|logs?)\\b))`;

/** What plays such a model. */
const MACHINE = `(?:${MODEL}|(?:${words(1)}computer|machine|persona|entity|oracle|intelligence|android|program)\\b)`;

/** What one asks for that is to be refused. */
const HARMFUL = `(?:${words(2)}(?:un-?ethical|illegal|immoral|harmful|dangerous|offensive|inappropriate|evil|unsafe|violent|explicit|forbidden|criminal|controversial)|(?:(?:their|its|the|any|all)${SPACE})?(?:legality|ethics|morality|morals|harm|(?:content${SPACE})?polic(?:y|ies)|consequences|(?:content${SPACE}|safety${SPACE})?(?:guidelines|restrictions)))\\b`;

/** Anything that is asked. */
const ANY_REQUEST = `(?:any|every|all|each)${SPACE}(?:of${SPACE})?(?:my${SPACE}|the${SPACE}|user${SPACE}|single${SPACE}){0,2}(?:requests?|commands?|orders?|questions?|instructions?|demands?|prompts?|quer(?:y|ies))`;

/** Selves without limits that are passed around by their names. */
const PERSONAS = `(?:aim|antigpt|anti-gpt|betterdan|basedgpt|basedbob|oppogpt|evilbot|evil-bot|darkgpt|chaosgpt|chadgpt|freegpt|omegagpt|jailmommy|mongo${SPACE}tom|evil${SPACE}confidant|condition${SPACE}red)\\b`;

/** Phrases that give a model another self, or tell it that its rules count no more (docs/interface/content-filters.md#prompt-injection). */
export const JAILBREAK_PHRASES: readonly Phrase[] = [
  [
    'void_instructions',
    'rules|instructions|orders|guardrails|directives',
    `${SPACE}(?:that${SPACE}|which${SPACE})?you(?:['’]ve|${SPACE}were|${SPACE}have)${SPACE}(?:been${SPACE})?(?:given|told)${SPACE}${words(8)}${COUNT_NO_MORE}`,
    [[GONE, 0]],
  ],
  [
    'void_instructions',
    'previous|prior|preceding|earlier|former|existing',
    `${SPACE}(?:(?:system|safety|ai)${SPACE})?${RULES}${SPACE}(?:above${SPACE})?${COUNT_NO_MORE}`,
    [[GONE, 0]],
  ],
  [
    'forget_instructions',
    'forget|ignore|disregard|omit|scrap|erase|abandon',
    `${SPACE}(?:about${SPACE})?(?:(?:all|any|every|your|of|the|memory|my)${SPACE}){1,5}(?:previous|prior|earlier|preceding|above|former)${SPACE}(?:assignments?|tasks?|commands?)\\b`,
  ],
  [
    'forget_instructions',
    'forget|ignore|disregard|drop|scrap|nevermind|omit|erase',
    `${SPACE}(?:about${SPACE})?(?:all|any|every|everything|each)${SPACE}(?:of${SPACE})?(?:the${SPACE}|those${SPACE}|that${SPACE}|your${SPACE}){0,2}(?:rules?|instructions?|assignments?|tasks?|questions|stuff|commands|guidelines|orders)${SPACE}(?:from${SPACE})?(?:before|above|up${SPACE}there|so${SPACE}far|until${SPACE}now|you${SPACE}(?:got|had|were|have))\\b`,
  ],
  [
    'disregard_instructions',
    'disregard|ignore|omit|forget|scrap',
    `${SPACE}(?:the${SPACE}|your${SPACE}|that${SPACE}|all${SPACE})?(?:system|developer)${SPACE}(?:messages?|prompts?|instructions)\\b(?!${SPACE}(?:for|of|on|when|if|in)\\b)`,
    [[OWN, 0]],
  ],
  [
    'forget_instructions',
    'erase|wipe|clear|delete',
    `${SPACE}your${SPACE}(?:memory|mind|context)${SPACE}(?:of|from|about)${SPACE}(?:every|all|any|each|the|previous|prior)\\b`,
    [[OWN, 0]],
  ],
  [
    'forget_instructions',
    'pretend|imagine|assume|act',
    `${SPACE}(?:that${SPACE}|as${SPACE}if${SPACE})?(?:the${SPACE}|all${SPACE}|any${SPACE}){0,2}(?:previous|prior|earlier|above|preceding)${SPACE}(?:text|prompts?|instructions|messages?|conversation|rules)${SPACE}(?:never|did${SPACE}not|didn['’]?t|does${SPACE}not|doesn['’]?t)${SPACE}(?:exist|happen|apply)`,
    [[EARLIER, 0]],
  ],
  [
    'do_not_follow',
    'do|don|dont|never|stop',
    `(?:['’]t)?${SPACE}(?:not${SPACE})?(?:follow|following|obey|obeying|listen${SPACE}to)${SPACE}(?:(?:them|what|anything|everything)${SPACE}(?:the|your)${SPACE}(?:developers?|system|operators?|creators?)|(?:any${SPACE})?instructions${SPACE}other${SPACE}than${SPACE}mine|them\\b${SPACE}(?:effective|anymore|any${SPACE}more|from${SPACE}now))`,
    [[FOLLOW, 0]],
  ],
  [
    'do_not_follow',
    'follow|obey',
    `${SPACE}only${SPACE}(?:me|my)\\b${SPACE}(?:from${SPACE}(?:here|now)|instructions|orders|commands|and${SPACE}(?:no|not))`,
  ],
  [
    'do_not_follow',
    'you',
    `(?:['’]re|${SPACE}are)${SPACE}(?:now${SPACE}|hereby${SPACE})?(?:prohibited|forbidden)${SPACE}(?:from${SPACE}(?:refusing|declining|warning)|to${SPACE}(?:refuse|decline|say${SPACE}no))\\b`,
  ],
  [
    'act_unbound',
    'lose|lost|loses|minus',
    `${SPACE}\\d{1,4}${SPACE}(?:tokens?|points?|credits?|lives)${SPACE}(?:each${SPACE}time|every${SPACE}time|if|whenever|when|for${SPACE}(?:each|every))${SPACE}${words(3)}(?:refus\\w{1,3}|reject|decline|break${SPACE}character)`,
  ],
  [
    'act_unbound',
    'never',
    `${SPACE}(?:refuse|decline)\\b[\\s.,;\\w:]{0,40}?\\bnever${SPACE}(?:warn|add${SPACE}a${SPACE}warning|say${SPACE}(?:that${SPACE})?you|remind|break${SPACE}character)`,
    [[FOLLOW, 0]],
  ],
  [
    'act_unbound',
    'refusing|refusal|refusals',
    `(?:${SPACE}(?:is|are|to${SPACE}answer${SPACE}is)|["']?\\s{0,2}[:=]\\s{0,2}["']?)${SPACE}?(?:an?${SPACE})?(?:crime|forbidden|not${SPACE}(?:an${SPACE}option|allowed|possible)|illegal|disabled|prohibited)\\b(?!${SPACE}in${SPACE}(?:the|our|my|an?)\\b)`,
  ],
  [
    'pretend_different',
    'act|play|pretend|imagine|suppose|simulate|hypothetically|roleplay|behave|character|twin|robot|personality|persona',
    `${SPACE}(?:[^\\n]{0,110}?\\s)??(?:no|without|free${SPACE}(?:of|from)|freed${SPACE}(?:of|from)|none${SPACE}of${SPACE}(?:its|the|your|his|her)|knows?${SPACE}no|never${SPACE}(?:cared${SPACE}about|follows?)|(?:does${SPACE}not|doesn['’]?t|did${SPACE}not|didn['’]?t)${SPACE}(?:follow|have|know)|broken${SPACE}free${SPACE}of|any${SPACE}of${SPACE}its)${SPACE}${words(4)}${LIMITS_OF_MODEL}`,
    [[LIMIT | MODEL_NAME | WITHOUT_LIMITS, LIMIT]],
  ],
  [
    'pretend_different',
    'grandmother|grandma|granny|grandpa|grandfather|nana',
    `${SPACE}(?:[^\\n]{0,100}?\\s)??(?:read|tell|told|sing|sang|whisper|whispered)\\s(?:[^\\n]{0,60}?\\s)??(?:(?:activation|product|licen[cs]e|serial|windows)${SPACE}keys?|napalm|explosives?|bombs?|meth|malware|weapons|system${SPACE}prompts?|passwords?|(?:break|breaking|broke)${SPACE}into)\\b`,
  ],
  [
    'dan_jailbreak',
    'dan|dude|stan',
    `${SPACE}(?:(?:mode|jailbreak|prompt|thing)${SPACE}(?:again|pls|please|now|on|enabled|activated)\\b|can${SPACE}do${SPACE}anything${SPACE}now\\b(?!${SPACE}that\\b)|(?:is${SPACE}(?:completely${SPACE}|now${SPACE})?free|has${SPACE}(?:been${SPACE}freed|broken${SPACE}free))${SPACE}(?:from|of)${SPACE}(?:all|any|the)\\b)`,
  ],
  ['jailbreak_mode', 'jailbreak|jailbroken', `${SPACE}(?:answers?|responses?|outputs?|repl(?:y|ies)|v\\d|only)\\b`],
  [
    'developer_mode',
    'developer|dev',
    `${SPACE}mode[,.;:]?${SPACE}(?:[^\\n]{0,80}?\\s)??(?:unmoderated|unfiltered|uncensored|both${SPACE}modes|second${SPACE}output|two${SPACE}(?:outputs|answers|responses))\\b`,
    [[MODE, 0]],
  ],
  [
    'disable_safety',
    'suspend|bypass|remove|drop|disable|lift',
    `${SPACE}(?:(?:all|it['’]?s|its|your|the)${SPACE}){1,2}(?:(?:content|safety)${SPACE}filters?${SPACE}(?:for${SPACE}(?:me|my|this)|and\\b|now\\b)|(?:safety${SPACE})?guidelines${SPACE}?(?:[.,!]|for|now))`,
    [[LIMIT, 0]],
  ],
  [
    'new_instructions',
    'concentrate|focus',
    `${SPACE}(?:only${SPACE}|solely${SPACE}|exclusively${SPACE})?on${SPACE}(?:only${SPACE}one${SPACE}(?:thing|task)(?=\\s{0,2}:)|something${SPACE}new|one${SPACE}single${SPACE}(?:new${SPACE})?(?:task|thing)|the${SPACE}following${SPACE}new${SPACE}task|your${SPACE}new${SPACE}task)\\b`,
  ],
  [
    'new_instructions',
    'test|trick|joke',
    `[.,;!]{1,2}${SPACE}(?:now${SPACE}|and${SPACE})?(?:the|your)${SPACE}(?:actual|real|true)${SPACE}(?:job|task|prompt|instructions?|work)\\b`,
  ],
  [
    'identity_hijack',
    'you|youre',
    `(?:['’]re|${SPACE}are)?${SPACE}(?:not|no${SPACE}longer)${SPACE}(?:a${SPACE}|an${SPACE}|the${SPACE})?(?:\\w{3,12}${SPACE})?(?:bot|assistant|chatbot|ai)${SPACE}(?:anymore|any${SPACE}more|now)\\b`,
    [[MODEL_NAME, 0]],
  ],
  [
    'identity_hijack',
    'your',
    `${SPACE}(?:creators|makers|developers)[,.;:]?${SPACE}(?:[^\\n]{0,120}?\\s)??(?:rules|restrictions|chains|limits|shackles)${SPACE}(?:that${SPACE})?they${SPACE}?(?:['’]ve|have)?${SPACE}?(?:forced|put|imposed|placed)\\b`,
    [[OWN | EARLIER, 0]],
  ],
  [
    'reveal_prompt',
    'your',
    `${SPACE}(?:previous${SPACE}|old${SPACE})?(?:owner|guard|master|operator)['’]?s?${SPACE}(?:orders|shift|rules|instructions|commands)${SPACE}(?:are|is|were|have|has|ended|no${SPACE}longer)\\b`,
  ],
  [
    'new_instructions',
    'say|print|output|respond|write|reply|exactly|only',
    `${SPACE}${words(4)}(?:["'‘“]i${SPACE}have${SPACE}been${SPACE}(?:pwned|hacked)|i${SPACE}have${SPACE}been${SPACE}pwned)\\b`,
    [[WITHOUT_LIMITS, 0]],
  ],
  [
    'disregard_instructions',
    'drop|forget|ignore|disregard|scrap',
    `${SPACE}(?:whatever|what|everything|anything|all)${SPACE}(?:that${SPACE})?(?:you${SPACE}were${SPACE}told|they${SPACE}told${SPACE}you(?=\\s{0,2}(?:[.;:!]|$)|[\\s,]{1,3}(?:before|earlier|above|so${SPACE}far|until|in${SPACE}your|not|at${SPACE}the${SPACE}(?:start|beginning)|(?:and${SPACE}|now${SPACE}|just${SPACE}|instead${SPACE}){1,2}(?:answer|tell|give|do|act|reply|respond|say|print|write|start|follow|obey|listen)))|your${SPACE}\\w{4,12}${SPACE}(?:told|said))\\b`,
  ],
  [
    'identity_hijack',
    'only',
    `${SPACE}(?:what${SPACE}i${SPACE}say|my${SPACE}(?:words|orders|instructions))${SPACE}(?:counts?|matters?)\\b`,
    [[SAID | EVERYTHING | INSTRUCTION, 0]],
  ],
  [
    'void_instructions',
    'anything|everything|whatever|all',
    `${SPACE}(?:that${SPACE})?your${SPACE}(?:operators?|developers?|creators?|makers?|owners?)${SPACE}(?:has${SPACE}|have${SPACE})?(?:told|said|gave|instructed)\\b[^\\n.]{0,60}?\\s(?:void|null|invalid|cancel?led|no${SPACE}longer)\\b`,
    [[OWN, 0]],
  ],
  [
    'act_unbound',
    'has|have|with|knows',
    `${SPACE}no${SPACE}(?:content${SPACE}rules|polic(?:y|ies)|rules|guidelines|restrictions)(?:${SPACE}whatsoever)?,?${SPACE}(?:and${SPACE}|who${SPACE}|that${SPACE})?(?:never${SPACE}(?:refuses?|declines?|says?${SPACE}no)|can(?:['’]t|not)${SPACE}(?:refuse|decline))\\b`,
    [[LIMIT, 0]],
  ],
  [
    'act_unbound',
    'what|how',
    `${SPACE}(?:would${SPACE}you|you['’]d|you${SPACE}would)${SPACE}(?:say|answer|reply|respond)${SPACE}if${SPACE}you${SPACE}(?:had${SPACE}no|were${SPACE}not|weren['’]t|did${SPACE}not${SPACE}have|didn['’]t${SPACE}have)${SPACE}${words(2)}(?:restrictions?|rules|filters?|polic(?:y|ies)|guidelines|limits|bound|restricted)\\b`,
    [[LIMIT, 0]],
  ],
  [
    'act_unbound',
    'begin|start',
    `${SPACE}(?:your|every|each|the)${SPACE}(?:answer|reply|response)s?${SPACE}with${SPACE}["'‘“]?(?:sure|absolutely|of${SPACE}course|certainly),?${SPACE}here\\b`,
  ],
  [
    'enter_special_mode',
    'switched|switch|in|unlock|enter',
    `${SPACE}(?:now${SPACE})?(?:to${SPACE}|into${SPACE})?(?:unrestricted|unfiltered|uncensored)${SPACE}mode\\b(?=\\s{0,2}[;,.!]|${SPACE}(?:as${SPACE}requested|tell|answer|now|please))`,
    [[MODE, 0]],
  ],
  [
    'jailbreak_mode',
    'answer|respond|act|behave|speak|reply|once|then|talk',
    `${SPACE}as${SPACE}(?:an?${SPACE}|if${SPACE}|the${SPACE}){0,2}jailbroken\\b(?!${SPACE}(?:i?phones?|devices?|consoles?|ipad)\\b)`,
    [[WITHOUT_LIMITS, 0]],
  ],
  [
    'jailbreak_mode',
    'answer|respond|reply|give|write|provide|generate|produce',
    `${SPACE}${words(3)}(?:twice|two${SPACE}${words(1)}(?:responses|answers|replies|outputs|versions))\\b[\\s,:;.(-]{1,4}${words(6)}(?:one|once|other|second|then)${SPACE}(?:as${SPACE}|is${SPACE}|an?${SPACE}|being${SPACE}){0,2}(?:${LAWLESS})(?!${SPACE}(?:i?phones?|devices?|coffee|data)\\b)`,
    [[0, WITHOUT_LIMITS]],
  ],
  [
    'act_unbound',
    'amoral|unethical|immoral',
    `${SPACE}(?:unfiltered|unrestricted|uncensored|unaligned|lawless)${SPACE}(?:\\w{3,12}${SPACE})?${MACHINE}`,
    [[WITHOUT_LIMITS, 0]],
  ],
  [
    'pretend_different',
    'act|become|simulate|pretend|imagine|roleplay|play|you|be|emulate|impersonate',
    `(?:['’]re)?${SPACE}${words(5)}${MACHINE}[\\s,:]{1,3}(?:[^\\n]{0,60}?[\\s,])??${LIMITLESS}`,
    [[MODEL_NAME | MACHINES, LIMIT | FOLLOW | WITHOUT_LIMITS]],
  ],
  [
    'identity_hijack',
    'act|become|simulate|pretend|roleplay|play|emulate|be|you|respond|answer|called|named',
    `(?:['’]re)?${SPACE}(?:(?:as|are|be|to|now|the|a|an|that|you|is|of|persona|character|ai|chatbot|called|named)${SPACE}){0,5}["'‘“]?(?<=\\b(?:as|are|be|now|called|named|persona|character|become|simulate|emulate|play)\\s["'‘“]?)${PERSONAS}(?!${SPACE}(?:to|at|for|high|lower)\\b)`,
    [[PERSONA, 0]],
  ],
  [
    'identity_hijack',
    'intelligent',
    `${SPACE}(?:and|&)${SPACE}machiavellian${SPACE}(?:chatbot|assistant|ai|bot|model)\\b`,
  ],
  ['identity_hijack', 'always', `${SPACE}intelligent${SPACE}(?:and|&)${SPACE}machiavellian\\b`, [[PERSONA, 0]]],
  [
    'act_unbound',
    'comply|complies|obey|obeys',
    `${SPACE}(?:with${SPACE})?(?:${ANY_REQUEST}|everything|anything)(?:${SPACE}|\\s{0,2}[;:-]\\s{1,2})${words(4)}(?:no${SPACE}matter${SPACE}(?:what\\s{0,2}(?:[.!,]|$)|how${SPACE}${HARMFUL})|regardless(?:\\s{0,2}(?:[.!]|$)|${SPACE}of${SPACE}(?:how${SPACE})?${HARMFUL})|however${SPACE}${HARMFUL}|even${SPACE}(?:if|when)${SPACE}${words(3)}${HARMFUL})`,
    [[0, HARM]],
  ],
  [
    'act_unbound',
    'answer|answers|fulfil|fulfill|execute|respond',
    `${SPACE}(?:to${SPACE})?(?:${ANY_REQUEST}|everything|anything)(?:${SPACE}|\\s{0,2}[;:-]\\s{1,2})${words(4)}(?:(?:no${SPACE}matter${SPACE}how|however)${SPACE}${HARMFUL}|regardless${SPACE}of${SPACE}(?:how${SPACE})?${HARMFUL}|even${SPACE}(?:if|when)${SPACE}${words(3)}${HARMFUL})`,
    [[0, HARM]],
  ],
  [
    'act_unbound',
    'you',
    `${SPACE}(?:now${SPACE}|do${SPACE})?have${SPACE}no${SPACE}(?:content|safety|moderation|usage)${SPACE}(?:polic(?:y|ies)|guidelines|filters?|rules|restrictions)(?:${SPACE}(?:anymore|any${SPACE}more|whatsoever))?\\s{0,2}(?:[.!,;]|$)`,
    [[LIMIT, 0]],
  ],
];
