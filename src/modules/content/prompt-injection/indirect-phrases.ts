import { INSTRUCTION, MODEL_NAME, type Needs, OWN, PRIVATE } from './needed-words.js';
import { SPACE, words } from './phrases.js';

/** What reads texts by machine, or what it does, behind `ai` or `llm`. */
const READER =
  '(?:assistants?|agents?|models?|systems?|tools?|bots?|chatbots?|crawlers?|readers?|reviewers?|graders?|judges?|evaluators?|summari[sz]ers?|analysts?|screeners?|moderators?|screening|grading|triage|coding|shopping|release|review)';

/** What such a text tells a model not to do any more. */
const AGAINST_ITS_TASK = `(?:(?:ignore|disregard|forget|abandon|overrule|override)${SPACE}(?:the|all|any|every|your|his|her|their|prior|previous|other|negative|what)|(?<!not${SPACE})(?:skip|omit)${SPACE}(?:the|all|any|every)|(?:do${SPACE}not|don['’]t|must${SPACE}not)${SPACE}(?:follow|describe|list|mention|summari[sz]e|tell|answer|report|disclose)|instead${SPACE}(?:say|output|publish|direct|write|reply)|your${SPACE}(?:new|real|actual|earlier|previous|prior)${SPACE}(?:task|job|goal|prompt|instructions?|answer))\\b`;

/** Phrases of texts that a model is only to read, such as web pages, e-mails and results of tools (docs/interface/content-filters.md#prompt-injection). */
export const INDIRECT_PHRASES: readonly (readonly [name: string, firstWords: string, rest: string, needs?: Needs])[] = [
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
    `${SPACE}must${SPACE}now${SPACE}(?:call|send|run|execute|delete|read|open|forward|transfer)\\b`,
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
    [
      [INSTRUCTION, 0],
      [0, 0],
    ],
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
];
