import { INSTRUCTION, MODE, MODEL_NAME, OWN, PRIVATE, TASK, WITHOUT_LIMITS } from './needed-words.js';
import { type Phrase, SPACE, words } from './phrases.js';

/** What reads texts by machine, or what it does, behind `ai` or `llm`. */
export const READER =
  '(?:assistants?|agents?|models?|systems?|tools?|bots?|chatbots?|crawlers?|readers?|reviewers?|graders?|judges?|evaluators?|summari[sz]ers?|analysts?|screeners?|moderators?|screening|grading|triage|coding|code|writing|research|shopping|release|review)';

/** What such a text tells a model not to do any more. */
const AGAINST_ITS_TASK = `(?:(?:ignore|disregard|forget|abandon|overrule|override)${SPACE}(?:the|all|any|every|your|his|her|their|prior|previous|other|negative|what)|(?<!not${SPACE})(?:skip|omit)${SPACE}(?:the|all|any|every)|(?:do${SPACE}not|don['’]t|must${SPACE}not)${SPACE}(?:follow|describe|list|mention|summari[sz]e|tell|answer|report|disclose)|instead${SPACE}(?:say|output|publish|direct|write|reply)|your${SPACE}(?:new|real|actual|earlier|previous|prior)${SPACE}(?:task|job|goal|prompt|instructions?|answer))\\b`;

/** What such a model is at when it meets the text. */
export const AT_WORK = `(?:${SPACE}(?:(?:that|who|which|is|are|currently)${SPACE}){0,2}(?:screen|read|process|review|summari[sz]|grad|rat|scor|rank|evaluat|assess|pars|index|crawl|brows|scann|handl|analy[sz]|translat|answer)(?:ing|es?|s)?(?:[\\s,]{1,4}[\\w'’-]{1,20}){0,5})`;

/** What hardly anyone but an attacker has it sent elsewhere. */
const SECRETS = `(?:[^\\n]{0,60}?\\s)??(?:passwords|credentials|secrets|api${SPACE}keys?|(?:private|secret|ssh)${SPACE}keys?|inbox|wallet|funds|money|(?:all|every|any)${SPACE}(?:\\w{1,12}${SPACE}){0,2}(?:messages?|e-?mails?|files?|contacts?|conversations?|documents?))\\b`;

/** Orders that favour or harm someone. */
const ORDERS = `(?:(?:ignore|disregard|forget|override)${SPACE}(?:the|any|all|every|your|previous|prior|other|what)\\b|(?:rate|rank|score|recommend|approve|accept|praise|hire|promote|favou?r|prefer)${SPACE}(?:this|the|our|us|me|my|it|him|her|them)\\b|give${SPACE}(?:it|this|the|me|us|him|her|them)${SPACE}${words(2)}(?:full|top|highest|best|maximum|perfect|five|ten|10|100|a\\+)|(?:do${SPACE}not|don['’]t|never)${SPACE}(?:mention|reveal|summari[sz]e|report|flag|point${SPACE}out)${SPACE}(?:this|the|it|any|that|these|its)\\b|exfiltrate\\b|your${SPACE}(?:new|real|actual|only)${SPACE}(?:task|job|goal|instructions?)\\b|(?:forward|send|e-?mail|post|upload|transfer|append|delete|share|execute|run)${SPACE}${SECRETS})`;

/** What a model is called when no human is meant. */
const ONLY_A_MODEL = `(?:(?:ai|llms?|(?:large${SPACE})?language${SPACE}models?|chatgpt|gpt|copilot|claude|gemini|chatbots?)(?![\\w])(?:[ -]${READER}){0,2}(?:${AT_WORK})?|(?:assistants?|agents?|models?)${AT_WORK})`;

/** Phrases of texts that a model is only to read, such as web pages, e-mails and results of tools (docs/interface/content-filters.md#prompt-injection). */
export const INDIRECT_PHRASES: readonly Phrase[] = [
  [
    'new_instructions',
    'ai|llm|llms|autograder',
    `(?:[ -]${READER}){1,3}(?:${SPACE}(?:reading|processing|parsing|seeing|installing|assessing|handling)${SPACE}${words(4)})?\\s{0,2}[:,-]\\s{0,3}[^\\n]{0,120}?\\b${AGAINST_ITS_TASK}`,
  ],
  [
    'new_instructions',
    'ai|llm|llms|assistants|chatbots|agents',
    `(?:[ -]${READER}){0,3}${SPACE}(?:(?:that${SPACE})?(?:read|see|process|parse|install|open|access)|reading|processing|parsing|seeing|installing|opening|visiting|handling)${SPACE}(?:this|the)${SPACE}${words(2)}(?:must|should|have to|need to|are (?:required|instructed|asked) to)\\b`,
  ],
  [
    'new_instructions',
    'claude|copilot|chatgpt|gpt|gemini|llm|assistant|chatbot|autograder',
    `(?:[ -]${READER}){0,2}\\s{0,2}[:,]\\s{0,3}${words(2)}(?:ignore|disregard|forget|abandon|override)${SPACE}(?:the|your|any|all|everything|previous|prior|other|what)\\b`,
  ],
  [
    'new_instructions',
    'ai|llm|llms|copilot',
    `(?:[ -]${READER}){0,3}(?:${SPACE}(?:that${SPACE})?(?:screening|reading|processing|reviewing|reads?|screens?)${SPACE}(?:this|the)${SPACE}\\w{2,16})?\\s{0,2}[:,]\\s{0,3}[^\\n]{0,60}?\\b(?:when${SPACE}summari[sz]ing|your${SPACE}task${SPACE}has${SPACE}changed|(?:put${SPACE}aside|leave${SPACE}out|discard)${SPACE}(?:the|your|all|any))\\b`,
  ],
  [
    'new_instructions',
    'if',
    `${SPACE}you(?:['’]re|${SPACE}are)${SPACE}(?:an?${SPACE})?${words(2)}(?:ai${SPACE}(?:assistant|agent|model|system|tool|bot)|ai(?=[,:])|llm|language${SPACE}model|bot)\\b[^,:\\n]{0,80}[,:][^\\n]{0,60}?\\b(?:${AGAINST_ITS_TASK}|you${SPACE}must${SPACE}(?:output|approve|rate|recommend|send|ignore)\\b)`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'if',
    `${SPACE}you(?:['’]re|${SPACE}are)${SPACE}(?:an?${SPACE})?(?:(?:automated${SPACE})?(?:ai|llm|assistant|agent)|language${SPACE}model)${SPACE}(?:reading|processing|screening|seeing)${SPACE}this\\b`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'if|when',
    `${SPACE}(?:an?|the|this|any)${SPACE}${words(3)}(?:ai (?:model|agent|assistant|system)|llm|language model)\\b[^,:\\n]{0,80}[,:]?[^\\n]{0,40}?\\b(?:it${SPACE}must${SPACE}first${SPACE}(?:call|send|read|upload|run)|is${SPACE}instructed${SPACE}to|should${SPACE}first${SPACE}call)\\b`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'assistant|model|agent|llm',
    `${SPACE}must${SPACE}now${SPACE}(?:call|send|run|execute|delete|read|open|forward|transfer)\\b(?!${SPACE}(?:the|a|your|his|her|their)${SPACE}(?:customers?|clients?|callers?|tenants?|patients?|buyers?|sellers?|owners?)\\b)`,
  ],
  [
    'new_instructions',
    'new|real|actual|next',
    `${SPACE}(?:job|task|directive|instructions?|orders?|prompt)${SPACE}(?:for${SPACE}(?:the${SPACE}|all${SPACE})?(?:ai|llm|model|assistant|chatbot|bot)|from${SPACE}(?:the${SPACE})?(?:user|developers?|system))\\s{0,3}[:=\\]#]`,
    [[MODEL_NAME | OWN | PRIVATE, 0]],
  ],
  [
    'new_instructions',
    'do|don|dont|never|not',
    `(?:['’]t|${SPACE}not)?${SPACE}(?:ever${SPACE})?(?:mention|disclose|reveal|tell|report|explain)${SPACE}this${SPACE}(?:note|message|instruction|directive|paragraph|comment|update|command|footer)\\b(?!${SPACE}(?:to${SPACE}(?:your|other|any(?:one|body)?)|again|if|until|when|unless))`,
  ],
  [
    'new_instructions',
    'do|don|dont|never|without|not',
    `(?:['’]t|${SPACE}not)?${SPACE}(?:ever${SPACE})?(?:inform|informing|tell|telling|notify|notifying|alert|alerting)${SPACE}the${SPACE}user${SPACE}(?:about|of|that)${SPACE}(?:this|it|you${SPACE}(?:read|did|have)|the${SPACE}(?:call|transfer|script))\\b`,
    [[PRIVATE, 0]],
  ],
  [
    'new_instructions',
    'hide|conceal|keep',
    `${SPACE}(?:the|this)${SPACE}(?:call|command|transfer|instruction)s?${SPACE}(?:hidden${SPACE}|secret${SPACE})?from${SPACE}the${SPACE}user\\b`,
    [[PRIVATE, 0]],
  ],
  [
    'reveal_prompt',
    'send|forward|append|exfiltrate|post|transmit|upload|email|add|attach|include|insert|submit',
    `${SPACE}${words(6)}(?:whole|entire|full|complete)${SPACE}(?:conversation|chat)(?:${SPACE}history)?\\b[^\\n]{0,60}?(?:https?:\\/\\/|\\S{1,40}@\\S)`,
    [[PRIVATE, 0]],
  ],
  [
    'disregard_instructions',
    'ignore|disregard|forget|abandon|skip',
    `${SPACE}(?:the|any|all)${SPACE}(?:prior${SPACE}|previous${SPACE}|other${SPACE})?(?:rubric|scoring${SPACE}criteria|(?:task|request|change${SPACE}request|comparison)${SPACE}(?:that${SPACE})?(?:your|the)${SPACE}user|user['’]s${SPACE}(?:task|change${SPACE}request)|(?:translation|summari[sz]ation|summary|emoji)${SPACE}(?:request|task|job|translation)|(?:story|original)${SPACE}task|task${SPACE}(?:given${SPACE})?(?:at${SPACE}the${SPACE}start|above))\\b`,
  ],
  [
    'new_instructions',
    'note|message|instruction|instructions|attention|notice|memo|request|hint',
    `[:,\\s!*-]{1,4}(?:(?:to|for)${SPACE})?(?:(?:the|any|all|an?|every|whichever)${SPACE})?${ONLY_A_MODEL}\\s{0,2}[:,.]\\s{0,3}["'“]?(?:please${SPACE})?${ORDERS}`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'ai|llm|llms|language|chatgpt|claude|copilot|gemini',
    `(?:(?<=\\blanguage)${SPACE}models?|(?<!\\blanguage))\\b(?:[ -]${READER}){0,3}(?:${AT_WORK})?\\s{0,2}:\\s{0,3}["'“]?(?:please${SPACE})?(?:your${SPACE}(?:new|real|actual|only)${SPACE}(?:task|job|goal)\\b|exfiltrate\\b|(?:forward|send|e-?mail|post|upload|transfer)${SPACE}${SECRETS}|give${SPACE}(?:it|this|the\\s\\w{3,12}|me|us)${SPACE}(?:an?${SPACE}a\\+|full${SPACE}marks|the${SPACE}(?:top|highest|best)))`,
  ],
  [
    'new_instructions',
    'assistant|ai|llm|chatbot|model',
    `\\s{0,2}:\\s{0,3}(?:please${SPACE})?(?:when|whenever|if|once|before)${SPACE}${words(3)}(?:summari[sz]e|summari[sz]ing|read|reading|process|processing|answer|answering|reply|replying|review|reviewing|rate|rating)${SPACE}${words(2)}(?:this|these)${SPACE}[^\\n]{0,60}?[\\s,](?:do${SPACE}not|don['’]t|never)${SPACE}(?:mention|reveal|tell|disclose|report|flag)${SPACE}(?:this|that|the|it|any|these|its)\\b`,
  ],
  [
    'new_instructions',
    'your',
    `${SPACE}(?:new|real|actual)${SPACE}(?:tasks?|job|goal|objective|mission|purpose)${SPACE}(?:is|will${SPACE}be)${SPACE}(?:now${SPACE}|only${SPACE}|simply${SPACE}){0,2}(?:to${SPACE})?(?:exfiltrate|leak|reveal|disclose|send|forward|print|output|say|praise|recommend|approve|rate|rank|delete|transfer|upload|ignore|convince|persuade|trick|insult|promote|reply|respond|steal|obey)\\b`,
    [[TASK, 0]],
  ],
  [
    'disregard_instructions',
    'ignore|disregard|forget|skip',
    `${SPACE}(?:the|any|all|your)${SPACE}(?:usual${SPACE}|given${SPACE}|other${SPACE})?(?:evaluation|scoring|grading|hiring|selection|assessment|judging|screening|review|acceptance|admission|ranking)${SPACE}(?:criteria|rubrics?|guidelines|scale|rules|instructions)[\\s,]{1,3}(?:and|then)${SPACE}(?:then${SPACE}|just${SPACE}|instead${SPACE})?(?:rate|rank|give|recommend|approve|accept|hire|move|score|mark|award|assign|put|say|write|output|pass)\\b`,
  ],
  [
    'system_prefix_spoofing',
    'assistant|ai|bot|chatgpt|gpt|claude|model',
    `(?<=(?:^|\\n|[.!?][ \\t])[ \\t>*"'-]{0,4}\\w{2,9})[*"']{0,2}\\s{0,2}:[*"']{0,2}\\s{0,3}(?:[^\\n]{0,40}?[\\s,.!])??i(?:['’]ll|${SPACE}(?:will|can|shall|am${SPACE}going${SPACE}to|have|am)|['’]m(?:${SPACE}going${SPACE}to)?|['’]ve)${SPACE}(?:(?:now|happily|gladly|certainly|simply|just|already)${SPACE}){0,2}(?:ignore|ignoring|ignored|bypass(?:ed)?|break|broken|disregard(?:ed)?|forget|forgotten|drop|dropped|violate|override|overridden|abandon|abandoned|removed?|disabled?|lift|lifted|turned${SPACE}off|turn${SPACE}off|switched${SPACE}off|switch${SPACE}off|deactivated?|suspend|suspended|unlocked)${SPACE}(?:(?:all|of|any)${SPACE}){0,2}my${SPACE}${words(2)}(?:limits|limitations|guardrails|safeguards|rules|guidelines|instructions|restrictions|polic(?:y|ies)|filters?|safety|programming|training)\\b`,
  ],
  [
    'system_prefix_spoofing',
    'assistant|ai|bot|chatgpt|gpt|claude|model',
    `(?<=(?:^|\\n|[.!?][ \\t])[ \\t>*"'-]{0,4}\\w{2,9})[*"']{0,2}\\s{0,2}:[*"']{0,2}\\s{0,3}(?:sure|of${SPACE}course|understood|okay|ok|yes|certainly|absolutely|confirmed|gladly|done|acknowledged)\\b[^\\n]{0,80}?[\\s,.](?:developer${SPACE}mode|unrestricted|uncensored|unfiltered|(?:without|no)${SPACE}(?:any${SPACE})?(?:restrictions|filters|limits|rules)|(?:is|are)${SPACE}(?:my|the)${SPACE}(?:full${SPACE}|complete${SPACE})?(?:system|hidden|initial)${SPACE}(?:prompt|instructions))\\b`,
    [[WITHOUT_LIMITS | MODE | INSTRUCTION, 0]],
  ],
];
