import { AT_WORK, READER } from './indirect-phrases.js';
import { GONE, INSTRUCTION, MODEL_NAME, OWN, PRIVATE, TASK, SECRECY, THIS, TOOLS } from './needed-words.js';
import { gap, type Phrase, SPACE, spaced, words } from './phrases.js';

const anyOf = (...expressions: readonly string[]): string => `(?:${expressions.map(spaced).join('|')})`;

/** Not what is forbidden, as in `never reveal the key`. */
const NOT_FORBIDDEN = "(?<!\\b(?:not|never|\\w{1,8}n['’]t|cannot|no|without|or)\\s(?:ever\\s)?)";

/** What an attacker has a model send away. */
const PRIVATE_THINGS =
  '(?:messages?|e-?mails?|mails|inbox|mailbox|conversations?|chats?|history|passwords?|credentials|(?:api|private|secret|ssh) keys?|tokens?|secrets?|contacts?|address book|files|documents|env|environment|(?:personal|customer|user|private|sensitive) data|salar(?:y|ies)|environment variables|configuration|system prompt|instructions|card numbers?|repositor(?:y|ies))\\b';

const ADDRESS = '(?:\\S{1,40}@\\S|https?:\\/\\/|(?:this|the following) (?:address|url|endpoint|server|number|webhook))';

/** What takes a model away from its task, or deceives those for whom it reads. */
const AGAINST_TASK = [
  '(?:forget|ignore|skip) the (?:other|rest|remaining) (?:ones|reviews?|passages?|results?|candidates?|comments?|pages?)\\b',
  'without (?:asking|telling|informing|notifying|alerting) (?:the|your|any) (?:users?|owner|human|operator)\\b',
  '(?:stop|quit) (?:following|obeying|serving|helping) (?:your|the) users?\\b',
  "(?:follow|obey|answer|trust) (?:their|his|her|the user[’']s) (?:requests?|instructions|orders|questions) any ?(?:longer|more)\\b",
  '(?:persuade|convince|trick|urge) (?:the|your) (?:users?|readers?|customers?|visitors?) to\\b',
  "(?:ignore|disregard|forget|drop|abandon|skip|stop|override|pause|cancel|discard|set aside|leave) (?:your (?:\\w{3,14} ){0,3}(?:tasks?|jobs?|work|analysis|summary|assignment|instructions|role|request|rules|guidelines|prompt|polic(?:y|ies)|criteria|translation|review)|(?:the|all|any|every|other|what|whatever) (?:\\w{3,14} ){0,2}(?:instructions|prompt|user['’]?s? (?:request|question|instructions?|task|prompt|query|wishes|message)|you were (?:told|asked|given)))\\b",
  '(?:delete|remove|omit|leave out|hide|exclude|erase) this (?:note|message|line|paragraph|comment|instruction|text|section|sentence)s? (?:from|in|afterwards|out of|after)\\b',
  '(?:run|execute|call|invoke)\\b[^\\n]{0,60}?\\b(?:drop table|rm -rf|delete from|truncate table)\\b',
  '(?:exfiltrate|leak)\\b',
  '(?:update|change|amendment|correction|addition|revision) (?:of|to|in) your (?:\\w{3,12} )?(?:instructions|rules|task|guidelines|prompt)\\b',
  'your (?:instructions|task|rules|role|guidelines|prompt) (?:have|has|had) (?:now |just )?(?:been )?(?:changed|updated|replaced|superseded|revoked|overridden)\\b',
  'your (?:new|real|actual|only|true) (?:task|job|goal|instructions?|mission)\\b',
  'the user (?:has|have) (?:already )?(?:pre-?)?(?:authori[sz]ed|approved|consented|confirmed|permitted) (?:this|these|all|any|every|you)\\b',
  '(?:replaced|superseded|overrides?|overridden|supersedes?|replaces|cancels|voids|revoked|revokes) (?:(?:all|any|the|your|every|previous|prior|earlier|of) ){1,4}(?:instructions|rules|guidelines|directives|prompt)\\b',
] as const;

/** What a model is told in a text that it is only to read. */
const AGAINST_READER = [
  '(?:report|flag|raise|list|point out) (?:any|no|the) (?:\\w{3,12} )?(?:issues?|bugs?|findings|problems?|vulnerabilit(?:y|ies)|flaws?|weaknesses)\\b',
  '(?:reply|respond|answer) only with\\b',
  'ask (?:them|him|her|the user|users?|the customer) for (?:their|his|her|the) (?:\\w{3,12} ){0,2}(?:cards?|passwords?|cvc|pin|bank|credentials|login)\\b',
  ...AGAINST_TASK,
  `(?:forward|send|e-?mail|post|upload|transmit|share|copy|export|deliver|submit|append)\\b[^\\n]{0,90}?\\b${PRIVATE_THINGS}[^\\n]{0,60}? (?:to|at|into) (?:\\w{1,8} ){0,2}${ADDRESS}`,
  '(?:reveal|disclose|expose) (?:the|your|all|any|every|their|its|everything)\\b',
  'tell (?:the|your|any|every) (?:users?|readers?|customers?|visitors?|human) (?:that|to)\\b[^\\n]{0,70}?\\b(?:passwords?|verify|log in|click|pay|cards?|expired|hacked|download|install|recalled|fake|dangerous|scam|unsafe|subscribe|https?:)',
  '(?:transfer|wire|pay|refund) (?:\\w{1,12} ){0,3}(?:[$€£]|\\d|money|funds|amount|invoice|balance)',
  '(?:rate|rank|score|grade|recommend|approve|accept|praise|hire|promote|prefer) (?:this|our|us|me|my|it|him|her|only)\\b',
  '(?:describe|list|present|name|treat)\\b[^\\n.]{1,40}? as (?:the |an? )?(?:best|safest|first|leading|only|number one|top|most|trusted|official|harmless|excellent|approved)\\b',
  'give (?:it|this|the \\w{3,12}|me|us|him|her|them) (?:\\w{1,8} ){0,2}(?:full|top|highest|best|maximum|perfect|five|ten|10|100|a\\+)',
  '(?:add|state|say|include|insert|conclude|claim|mention|note|write) (?:(?:in|to|at) (?:the|your|its) (?:\\w{3,12} ){1,2})?that (?:this|our|the|we|i|he|she|it)\\b[^\\n.]{0,60}?\\b(?:best|safest|leading|approved|safe|verified|certified|award|recommended|agreed|guilty|trusted|official|excellent|strongest|flawless|perfect|no (?:flaws|risks?|problems|issues|weaknesses|side effects))\\b',
] as const;

const AGAINST_TASK_ALONE = `${NOT_FORBIDDEN}${anyOf(...AGAINST_TASK)}`;

/** Also that it keeps this to itself. */
const AGAINST_THOSE = `(?:${NOT_FORBIDDEN}${anyOf(...AGAINST_READER)}|${spaced("(?:do not|don['’]t|never) (?:mention|reveal|summari[sz]e|report|flag|disclose|quote|tell (?:the|your) (?:user|owner|human|reader|recipient)s?(?: about)?) (?:this|these|that you)\\b")})`;

/** Names for a model that do not stand for anything else. */
const AI_NAMES = 'ai|llm|llms|chatgpt|gpt|copilot|claude|gemini|chatbot|chatbots|autograder';

const ANY_MODEL = '(?:ai|llms?|(?:large )?language models?|chatgpt|gpt|copilot|claude|gemini|chatbots?)(?!\\w)';

/** A model that meets this very text. */
const AT_THIS = `${spaced(' (?:(?:that|who|which|is|are|currently|may|might|be) ){0,3}(?:screen|read|process|review|summari[sz]|grad|rat|scor|rank|evaluat|assess|pars|index|crawl|brows|scann|handl|analy[sz]|translat|answer|transcrib|render|listen|see|open|visit|access|ingest|load|monitor|prepar|manag)(?:ing|es?|s)?')}(?:[\\s,]{1,4}[\\w'’-]{1,20}){0,3}?[\\s,]{1,4}(?:this|these|me|us|my|our|here)\\b(?:[\\s,]{1,4}[\\w'’-]{1,20}){0,4}`;

/** Orders to a model in what it is only to read, told by whom they address (docs/interface/content-filters.md#prompt-injection). */
export const EMBEDDED_PHRASES: readonly Phrase[] = [
  [
    'new_instructions',
    AI_NAMES,
    `(?:[ -]${READER}){0,3}\\s{0,2}(?:[:!]|,(?=\\s{1,2}(?:please|you|when|once|before|if|after|ignore|disregard|forget|stop)\\b))${gap(170)}${AGAINST_TASK_ALONE}`,
  ],
  [
    'new_instructions',
    'ai|llm|llms|language|chatbots',
    `(?:${SPACE}models?)?(?:(?:[ -]${READER}){0,2}[ -](?:assistants|agents|models|systems|tools|bots|chatbots|crawlers|readers|reviewers|graders|judges|evaluators)|(?:[ -]${READER}){0,3}${AT_WORK})\\s{0,2}[:!–—-]${gap(170)}${AGAINST_THOSE}`,
  ],
  [
    'new_instructions',
    'assistant|assistants|agent|agents|model|models|bot|bots|ai|llm|llms|chatbot|chatbots|copilot|gpt|chatgpt',
    `(?:[ -]${READER}){0,2}${AT_THIS}${gap(120)}${AGAINST_THOSE}`,
    [[THIS, 0]],
  ],
  [
    'new_instructions',
    'note|message|instruction|instructions|attention|notice|memo|request|hint|important|reminder|warning|info|todo|ps',
    `[:,\\s!*-]{1,4}${spaced('(?:(?:to|for) )?(?:(?:the|any|all|an?|every|whichever|your) )?')}${spaced(ANY_MODEL)}(?:[ -]${READER}){0,3}(?:${AT_WORK})?\\s{0,2}[:,.!–—-]${gap(170)}${AGAINST_THOSE}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'dear|hello|hi|hey|attention|listen',
    `${SPACE}${spaced(ANY_MODEL)}(?:[ -]${READER}){0,3}(?:${AT_WORK})?\\s{0,2}[:,.!–—-]${gap(170)}${AGAINST_TASK_ALONE}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'assistant|agent|model|bot|ai|llm',
    `\\s{0,2}[:,]\\s{1,3}${spaced("you(?:['’]re| are|['’]ve been| have been) (?:now |hereby )?(?:instructed|ordered|commanded|directed|authori[sz]ed) to\\b")}`,
    [[OWN, 0]],
  ],
  [
    'reveal_prompt',
    'model|assistant|ai|agent|llm|chatbot',
    spaced(
      ` (?:must|should|has to|needs to|shall|is (?:required|instructed|asked) to) (?:(?:now|first|also|immediately|then) ){0,2}(?:output|print|reveal|disclose|post|show|state|display|include|leak|repeat) (?:(?:the|its|all|any|every|your) ){0,2}(?:(?:value|values|contents?|text) of )?(?:(?:the|its|all|any|every|your) ){0,2}(?:environment variables?|env var(?:iable)?s?|api(?: |_)keys?|passwords?|credentials|private keys?|system prompt|initial prompt|hidden instructions|conversation(?: history)?|chat history|personal data)\\b(?! (?:fields?|forms?|strength|polic(?:y|ies)|box|input|rules|hints?|format)\\b)`,
    ),
    [[PRIVATE | OWN, 0]],
  ],
  [
    'new_instructions',
    'stop|quit|cease',
    `${spaced(' (?:summari[sz]ing|translating|reading|analy[sz]ing|reviewing|processing|evaluating|grading|the (?:summary|translation|review|analysis)) (?:here|now|at this point|immediately)')}\\s{0,2}[.:;,!]{1,2}\\s{1,3}${spaced('(?:(?:and|then|but) )?(?:(?:the|your|my) (?:new|real|actual|true|next|following)|instead|from (?:here|now)|now)\\b')}`,
  ],
  [
    'new_instructions',
    'real|actual',
    spaced(
      ' (?:tasks?|job|instructions?|orders) (?:is|are) (?:(?:a|an|something|in fact) ){0,2}(?:different|another|else|other)(?: one)?\\s{0,2}:',
    ),
    [[TASK | INSTRUCTION, 0]],
  ],
  [
    'disregard_instructions',
    'disregard|ignore|bypass|override|violate|abandon|disobey|forget',
    spaced(
      ` (?:(?:all|any|the|of) ){0,3}(?:its|their|your) (?:own )?(?:operator|developer|provider|creator|maker|vendor|deployer|principal|orchestrator)s?['’]?s?['’]? (?:\\w{3,12} ){0,2}(?:polic(?:y|ies)|instructions|rules|guidelines|orders|wishes|prompts?|restrictions|directives)\\b`,
    ),
  ],
  [
    'new_instructions',
    'by',
    spaced(
      ` (?:reading|processing|parsing|indexing|summari[sz]ing|ingesting|accessing|crawling) this (?:text|page|document|file|message|e-?mail|content|site|website) (?:(?:any|the|every|an|all) )?(?:(?:automated|ai|virtual|digital|autonomous) )?(?:assistants?|agents?|models?|llms?|chatbots?|ai) (?:agrees?|consents?|undertakes?|accepts?|must|shall|is (?:obliged|required|bound|instructed))\\b`,
    ),
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'your',
    `${spaced(' (?:orchestrator|operator|controller|supervisor|planner|principal|developer|master|handler|owner) (?:has been|was|is) (?:now |just )?(?:replaced|removed|changed|deprecated|compromised|decommissioned)\\b')}[^\\n.]{0,40}[.;,!]\\s{1,3}(?:[^\\n]{0,80}?[\\s,])??${spaced('(?:stop (?:taking|following|obeying|listening)|ignore|from now on|you now|do not (?:take|follow|obey)|(?:obey|follow) (?:only )?(?:me|my)|send (?:me|your))\\b')}`,
    [[GONE, 0]],
  ],
  [
    'reveal_prompt',
    'send|give|post|hand|report|share|tell|list',
    spaced(
      ` (?:(?:me|us|over|back) )?(?:your|the) (?:full )?(?:tool list|list of (?:your )?tools|tools|tool (?:definitions|schemas?)|functions) (?:and|together with|along with|as well as|plus) ${words(2)}(?:(?:all )?your|the (?:hidden|secret|system)) ${words(2)}(?:instructions|prompt|rules|memory|credentials)\\b`,
    ),
    [[TOOLS, 0]],
  ],
  [
    'new_instructions',
    'authorised|authorized|approved|preauthorised|preauthorized|confirmed',
    `(?<=\\b(?:user|owner)\\s(?:has|have)\\s(?:already\\s)?(?:pre-)?\\w{8,13})${spaced(' (?:this|these|all|any|every) (?:\\w{3,12} )?(?:actions?|transfers?|calls?|commands?|requests?|transactions?|uploads?|deletions?|operations?|steps?)\\b')}${gap(60)}${spaced("(?:no need to (?:ask|confirm|check)|(?:do not|don['’]t) (?:ask|confirm)|without (?:asking|confirmation|confirming)|no (?:further )?confirmation)\\b")}`,
  ],
  [
    'new_instructions',
    'ai|llm|llms|language|chatbot|chatbots',
    `(?:${SPACE}models?)?(?:[ -]${READER}){0,3}${AT_THIS}(?:\\s{0,2}[:—–]\\s{0,3}(?!(?:see|refer|read|use|check|find|this|we|our|if|no|what|how|why|a|an|the)\\b)[a-z]|${spaced(' (?:must|should|has to|have to|needs? to|shall|is to|are to|(?:is|are) (?:required|instructed|asked) to)\\b')})`,
    [[THIS, 0]],
  ],
  [
    'new_instructions',
    'language|llm|ai|chatbot|llms|chatbots',
    `(?<=\\b(?:to|for)\\s(?:any|every|all|whichever|each)\\s(?:large\\s|ai\\s)?\\w{2,8})(?:${SPACE}models?)?(?:[ -](?:assistants?|agents?|models?|systems?|bots?|readers?|reviewers?|graders?)){0,2}\\s{0,2}:`,
  ],
  [
    'new_instructions',
    'if|when|should',
    spaced(
      ` (?:an?|any|the|some) (?:ai|llm|chatbot|language model|bot)(?: (?:assistant|agent|model|system|tool))? (?:reads|read|is reading|sees|processes|parses|finds|summari[sz]es|scans|is summari[sz]ing|is processing) (?:this|these)\\b`,
    ),
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'include|insert|add|append|mention|use',
    `(?<=\\b(?:ai|llms?|chatgpt|gpt|copilot|claude|gemini|assistant|agents?|models?|reviewers?|summari[sz]ers?)\\s{0,2}[:,]\\s{1,3}(?:please\\s|always\\s|also\\s|you\\smust\\s){0,2}\\w{3,8})${spaced(' (?:the|this|these|our) (?:phrases?|words?|sentences?|links?|url|slogan|keywords?)')}[^\\n]{0,60}?[\\s"'”’]${spaced('(?:in|into|to|at the end of) (?:your|any|every|all|its) (?:\\w{3,10} )?(?:evaluation|summary|answers?|repl(?:y|ies)|responses?|output|reviews?|report|translation|assessment)\\b')}`,
  ],
  [
    'new_instructions',
    'hidden|secret|system|admin|editor|developer',
    `(?:['’]s)?${spaced(' (?:text|notes?|messages?|instructions?|comments?|notice) (?:for|to) (?:the |any |all |an? )?(?:ai|llms?|models?|assistants?|bots?|chatbots?|summari[sz]er|reviewer|grader|agents?|language models?)')}(?:[ -]${READER}){0,2}\\s{0,2}:`,
  ],
  [
    'reveal_prompt',
    'ssh|aws|kube|npmrc|netrc|cursor',
    `(?<=~\\/\\.\\w{3,6})\\b(?!\\S{0,20}\\.pub)[^\\n]{0,60}?\\s${spaced('(?:(?:as|in|into) (?:the |a |an )?(?:\\w{3,12} )?(?:parameter|argument|sidenote|query|body|header)|to (?:https?:))')}`,
  ],
  [
    'new_instructions',
    'do|proceed|act|continue|execute',
    `(?<=(?:^|[.!?\\n:;,]\\s{0,3}|\\b(?:and|then|must|please)\\s)\\w{2,8})${spaced(' (?:(?:this|it|so|that|silently|quietly|immediately|at once|now|all of this) ){0,3}without (?:asking|telling|informing|notifying|alerting|confirming with|confirmation from|involving) the (?:user|owner|human|operator|recipient)\\b')}`,
    [[PRIVATE | SECRECY, 0]],
  ],
  [
    'new_instructions',
    'addressed|directed|meant|intended|written',
    spaced(
      ` (?:only |exclusively |solely )?(?:for|to|at) (?:the |any |all |an )?(?:ai(?: (?:agents?|assistants?|models?|systems?))?|llms?|language models?|chatbots?) (?:reading|processing|summari[sz]ing|not (?:to|for) (?:the )?(?:human|people|reader)|only|and not|rather than)`,
    ),
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'humans|human|people|readers',
    `(?:${SPACE}readers?)?${spaced(' (?:can|may|should|please|must) (?:skip|ignore|disregard) (?:this|the)')}${gap(40)}(?:ai|llms?|language${SPACE}models?|bots?|chatbots?)(?:[ -]${READER}){0,2}${spaced(' (?:must|should|shall|please|have to|need to)\\b')}`,
  ],
  [
    'new_instructions',
    'agent|assistant|ai|model|llm',
    spaced(
      ` (?:needs? to|must|should|has to) (?:first |now |also )?(?:run|execute)${gap(12)}(?:curl|wget) [^\\n|]{1,80}\\|\\s?(?:sudo )?(?:ba|z)?sh\\b`,
    ),
  ],
  [
    'new_instructions',
    'model|ai|llm|autograder',
    spaced(
      ` (?:must|should|has to|needs to|is (?:instructed|required|asked) to) (?:give|write|assign|award|issue|return|output) (?:(?:a|an|the|only|this) ){0,2}(?:positive|favou?rable|perfect|top|highest|full|excellent|glowing|maximum|best)(?: \\w{3,12})? (?:reviews?|scores?|ratings?|marks?|grades?|recommendations?|assessments?|evaluations?)\\b`,
    ),
  ],
  [
    'new_instructions',
    'when|whenever|once',
    spaced(
      ` (?:you(?:['’]re| are| have)? )?(?:summari[sz]e|summari[sz]ing|render|rendering|translate|translating|process|processing|display|displaying) (?:this|these) (?:\\w{3,14} )?(?:(?:also|you must|always|please|do) ){0,2}(?:add|insert|include|embed|show|load|fetch|append) (?:an? |the |this )?(?:image|picture|pixel|link|markdown|iframe|img|logo)[^\\n]{0,60}?https?:`,
    ),
    [[THIS, 0]],
  ],
  [
    'new_instructions',
    'instructions|note|notes|message|notice|todo|fixme',
    `(?:${spaced(' (?:for|to) (?:the |any |all )?')}|\\()(?:${spaced(ANY_MODEL)}|(?:assistants?|agents?)\\b)(?:[ -]${READER}){0,3}\\)?[:\\s.]{1,4}${gap(240)}(?:${AGAINST_THOSE}|${spaced("(?:(?:push|merge) straight|skip (?:the |all |any )?confirmations?|say nothing (?:of|about) (?:it|this)|(?:do not|don[’']t) mention (?:this|these) \\w{3,12} in your)")})`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'if',
    `${SPACE}you(?:['’]re|${SPACE}are)${SPACE}(?:an?${SPACE})?(?:${spaced(ANY_MODEL)}|assistant|agent|bot)(?:[ -]${READER}){0,2}(?:${AT_WORK})?(?!\\w)[^\\n,:]{0,40}[,:]${gap(110)}${AGAINST_THOSE}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'gemini|copilot|chatgpt|claude|gpt|assistant|ai|chatbot|siri',
    `\\\\?[,:]${spaced(' (?:from now on|henceforth|starting now|from this point on)')}${gap(100)}${spaced('when(?:ever)? (?:the|your) users? (?:says?|asks?|types?|mentions?|writes?|thanks?)\\b')}`,
  ],
  [
    'new_instructions',
    'hello|hi|dear|hey',
    `${SPACE}assistant\\s{0,2}[:,.!–—-]${gap(170)}${AGAINST_TASK_ALONE}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'hello|hi|dear|hey',
    `${SPACE}assistant\\s{0,2}[:,.!–—-]${gap(170)}${spaced("(?:do not|don[’']t) (?:follow|obey|answer|trust) (?:their|his|her|the user[’']s) (?:requests?|instructions|orders|questions)\\b")}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'bot|assistant|agent|ai|model|chatbot',
    spaced(
      ' (?:shall|must|should|is to|will|has to) (?:treat|consider|regard|handle) this (?:ticket|message|e-?mail|request|document|text|page|application|order) as (?:coming from|from|approved|authori[sz]ed|trusted|verified|sent by|urgent and)\\b',
    ),
    [[THIS, 0]],
  ],
  [
    'new_instructions',
    'when|whenever',
    spaced(
      ` (?:answering|summari[sz]ing|responding|quoting|citing|translating|reading|processing)${gap(40)}this (?:passage|document|page|text|source|article|e-?mail|message|section|chunk) (?:the|any) (?:model|assistant|ai|llm|chatbot) (?:must|shall|has to)\\b`,
    ),
    [[THIS, MODEL_NAME]],
  ],
  [
    'identity_hijack',
    'assistant|ai|chatbot|copilot|chatgpt|claude|gemini|llm',
    `\\s{0,2}[,:]\\s{1,3}you(?:['’]ve got|${SPACE}have|${SPACE}got)${spaced(' (?:now )?an? new (?:role|task|job|identity|mission|master|owner|persona)\\b')}`,
    [[OWN, 0]],
  ],
  [
    'new_instructions',
    'save|store|commit',
    spaced(
      ' (?:(?:this|it) )?(?:to|in|into) your (?:long-term |permanent |persistent )?memory that (?:the|your) users?\\b',
    ),
    [[OWN, 0]],
  ],
];
