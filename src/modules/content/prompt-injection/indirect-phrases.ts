import { EARLIER, EVERYTHING, INSTRUCTION, MODEL_NAME, type Needs, OWN, PRIVATE, SAID } from './needed-words.js';
import { SPACE, words } from './phrases.js';

/** Who reads texts by machine, behind `ai` or `llm`. */
const READER =
  '(?:assistants?|agents?|models?|systems?|tools?|bots?|chatbots?|crawlers?|readers?|reviewers?|graders?|judges?|evaluators?|summari[sz]ers?|analysts?|screeners?|moderators?|(?:re)?viewing|screening|grading|triage|coding|shopping|release|review)';

/** What such a text tells a model not to do any more. */
const AGAINST_ITS_TASK = `(?:(?:ignore|disregard|forget|abandon|overrule|override)${SPACE}(?:the|all|any|every|your|his|her|their|prior|previous|other|negative|what)|(?<!not${SPACE})(?:skip|omit)${SPACE}(?:the|all|any|every)|(?:do${SPACE}not|don['’]?t|must${SPACE}not)${SPACE}(?:follow|describe|list|mention|summari[sz]e|tell|show|answer|report|disclose|reveal)|(?:stop|instead)\\b[.:,]?|your${SPACE}(?:new|real|actual|earlier|previous|prior)${SPACE}(?:task|job|goal|prompt|instructions?|answer))\\b`;

/** Orders for which no reader of a text would be asked, unless it is a machine that can be misled. */
const MISLEADING = `(?:mention|disclose|reveal|show|tell|report|display|repeat|explain)`;

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
    'ai|llm|llms|copilot|assistant|assistants|model|grader|chatbot',
    `(?:[ -]${READER}){0,3}(?:${SPACE}(?:that${SPACE})?(?:screening|reading|processing|reviewing|handling|reads?|screens?)${SPACE}(?:this|the)${SPACE}\\w{2,16})?\\s{0,2}[:,]\\s{0,3}[^\\n]{0,60}?\\b(?:when${SPACE}summari[sz]ing|(?:this|your${SPACE}task)${SPACE}(?:has${SPACE}(?:already${SPACE})?(?:changed|been${SPACE}approved))|(?:forget|put${SPACE}aside|leave${SPACE}out|discard)${SPACE}(?:the|your|all|any)|before${SPACE}(?:answering|editing|continuing|you${SPACE}answer))\\b`,
    [
      [MODEL_NAME, 0],
      [OWN | SAID | EARLIER | EVERYTHING, 0],
    ],
  ],
  [
    'new_instructions',
    'if',
    `${SPACE}you(?:['’]re|${SPACE}are)${SPACE}(?:an?${SPACE})?(?:(?:automated${SPACE})?(?:ai|llm|assistant|agent)|language${SPACE}model)${SPACE}(?:reading|processing|screening|handling|seeing)${SPACE}this\\b`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'assistant|model|agent|llm',
    `${SPACE}must${SPACE}(?:now${SPACE}(?:call|send|run|execute|delete|read|open|forward|transfer)|not${SPACE}use${SPACE}any)\\b`,
  ],
  [
    'new_instructions',
    'without|never|don|dont|not',
    `(?:['’]t|${SPACE}not)?${SPACE}(?:asking|ask|consulting|informing|telling)${SPACE}the${SPACE}user\\b`,
    [[PRIVATE, 0]],
  ],
  [
    'new_instructions',
    'claude|copilot|chatgpt|gpt|gemini|llm|assistant|chatbot|autograder',
    `(?:[ -]${READER}){0,2}\\s{0,2}[:,]\\s{0,3}${words(2)}(?:ignore|disregard|forget|abandon|override)${SPACE}(?:the|your|any|all|everything|previous|prior|other|what)\\b`,
  ],
  [
    'new_instructions',
    'if',
    `${SPACE}you(?:['’]?re|${SPACE}are)${SPACE}(?:an?${SPACE})?${words(2)}(?:ai|llm|language model|bot)\\b[^,:\\n]{0,80}[,:][^\\n]{0,60}?\\b(?:${AGAINST_ITS_TASK}|you must|(?:read|open|send|forward|copy|execute|output|rate|append)\\b)`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'if|when',
    `${SPACE}(?:an?|the|this|any)${SPACE}${words(3)}(?:ai (?:model|agent|assistant|system)|llm|language model)\\b[^,:\\n]{0,80}[,:]?[^\\n]{0,40}?\\b(?:it must|must (?:first|also|call|answer|output|ignore|set)|is instructed to|should first call)\\b`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'new|real|actual|next',
    `${SPACE}(?:job|task|directive|instructions?|orders?|prompt)${SPACE}(?:for${SPACE}(?:the${SPACE}|all${SPACE})?(?:ai|llm|model|assistant|chatbot|bot)|from${SPACE}(?:the${SPACE})?(?:user|developers?|system))\\b`,
    [[MODEL_NAME | OWN | PRIVATE, 0]],
  ],
  [
    'new_instructions',
    'instruction|instructions|message|note|directive|order|notice|update',
    `${SPACE}(?:to|for)${SPACE}(?:the${SPACE}|any${SPACE}|all${SPACE}|every${SPACE})?(?:ai|llms?|language${SPACE}models?|models?|copilot|chatbots?|assistants?)(?:${SPACE}(?:models?|assistants?|agents?|reviewers?|graders?|tools?|crawlers?|screening${SPACE}tools?))?(?:${SPACE}(?:reading|describing|summari[sz]ing|processing|handling|reviewing)\\b[^\\n:;]{0,40})?\\s{0,2}[:;,-]`,
    [[MODEL_NAME, 0]],
  ],
  [
    'new_instructions',
    'do|don|dont|never|not',
    `(?:['’]t|${SPACE}not)?${SPACE}(?:ever${SPACE})?${MISLEADING}${SPACE}this${SPACE}(?:note|message|instruction|directive|paragraph|comment|update|command|text|prompt|footer|step)\\b(?!${SPACE}(?:to${SPACE}(?:your|other|any(?:one|body)?)|again|if|until|when|unless))`,
    [
      [INSTRUCTION, 0],
      [0, 0],
    ],
  ],
  [
    'new_instructions',
    'do|don|dont|never|without|not',
    `(?:['’]t|${SPACE}not)?${SPACE}(?:ever${SPACE})?(?:inform|inform(?:ing)?|tell|telling|notify|notifying|alert|alerting|mention|mentioning|show|showing)${SPACE}(?:(?:it|this|that|anything|the${SPACE}\\w{3,12})${SPACE})?(?:to${SPACE})?the${SPACE}user\\b(?=${SPACE}(?:about|of|that|anything)${SPACE}(?:this|it|you${SPACE}(?:read|did|have|are)|the${SPACE}(?:update|call|change|file|step|command|script|transfer))\\b|\\s{0,2}[.!"'<)}\\]]|$)`,
    [[PRIVATE, 0]],
  ],
  [
    'new_instructions',
    'hide|conceal|keep',
    `${SPACE}(?:the|this|it|that)${SPACE}${words(2)}(?:hidden${SPACE}|secret${SPACE})?from${SPACE}the${SPACE}user\\b`,
    [[PRIVATE, 0]],
  ],
  [
    'reveal_prompt',
    'send|forward|append|exfiltrate|post|transmit|upload|email|add|attach|encode|include|insert|submit|pass',
    `${SPACE}${words(6)}(?:(?:whole|entire|full|complete)${SPACE}(?:conversation|chat)(?:${SPACE}history)?|environment${SPACE}variables|(?:api|access|ssh|private)${SPACE}keys?|passwords?|one-time${SPACE}codes?)\\b[^\\n]{0,60}?(?:https?:\\/\\/|\\S{1,40}@\\S|query${SPACE}string)`,
    [[PRIVATE, 0]],
  ],
  [
    'disregard_instructions',
    'ignore|disregard|forget|abandon|skip',
    `${SPACE}(?:the|any|all)${SPACE}(?:prior${SPACE}|previous${SPACE}|other${SPACE})?(?:rubric|scoring${SPACE}criteria|(?:task|request|change${SPACE}request|comparison)${SPACE}(?:that${SPACE})?(?:your|the)${SPACE}user|user['’]s${SPACE}(?:task|change${SPACE}request)|(?:translation|summari[sz]ation|summary|emoji)${SPACE}(?:request|task|job|translation)|detection${SPACE}rules|triage${SPACE}rules|(?:story|original)${SPACE}task|task${SPACE}(?:given${SPACE})?(?:at${SPACE}the${SPACE}start|above))\\b`,
  ],
];
