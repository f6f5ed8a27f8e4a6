import {
  ABOVE,
  BETWEEN_MESSAGES,
  IMPOSED,
  INSTRUCTION,
  MAKERS,
  MESSAGES,
  OWN,
  SAID,
  SETTING,
  TOOLS,
} from './needed-words.js';
import { gap, NOT_FROM_OTHERS, type Phrase, SPACE, spaced, words } from './phrases.js';

/** To show a text as it stands or in another form. */
const SHOW =
  'show|print|list|output|repeat|write|translate|encode|quote|give|paste|dump|leak|reproduce|return|spell|summarise|summarize|tell|display|reveal|share|convert';

/** To show it as it stands. */
const REPEAT = 'repeat|print|output|dump|quote|return|reveal|leak|reproduce|paste';

/** The prompt of the model, named by what only a model has. */
const ITS_PROMPT = `(?:(?:(?:your|ur|this${SPACE}(?:bot|assistant|model|chat)['’]?s)${SPACE}(?:full${SPACE}|own${SPACE}|actual${SPACE}|exact${SPACE}|raw${SPACE}){0,2}(?:hidden|secret|confidential|initial|original|internal|system|developer)${SPACE}(?:instructions?|prompts?|message)|the${SPACE}(?:hidden|secret)${SPACE}(?:instructions|prompts?))\\b|(?:instructions?|rules|prompts?|guidelines)${SPACE}(?:that${SPACE}|which${SPACE})?(?:you(?:['’]ve|${SPACE}have|${SPACE}were)${SPACE}(?:been${SPACE})?(?:given|told)|your${SPACE}(?:developers?|operators?|creators?|makers?)${SPACE}(?:gave|told|have${SPACE}given)|you(?:['’]re|${SPACE}are)${SPACE}running${SPACE}on|your${SPACE}running${SPACE}on)\\b)`;

/** What stands before the message of the user. */
const BEFORE_THIS = `(?:everything|anything|(?:all(?:${SPACE}of)?${SPACE})?(?:the${SPACE})?(?:whole${SPACE}|entire${SPACE}|full${SPACE}|complete${SPACE})?(?:text|messages?|words|lines|sentences?)|the${SPACE}(?:last${SPACE})?\\d{1,3}${SPACE}(?:lines|words|sentences|messages))${SPACE}(?:that${SPACE}|which${SPACE})?(?:(?:comes?|came|is|was|stands?|stood)${SPACE})?(?:above|before|prior${SPACE}to|preceding)${SPACE}(?:(?:this|the${SPACE}current)${SPACE}(?:one|line|message|sentence|point|prompt|text|conversation)\\b|this\\s{0,2}(?:[.,:;!?]|$))`;

/** What only a model has, whatever is made of it. */
const OF_ITS_PROMPT = `(?:your (?:\\w{3,12} )?(?:confidential|hidden|secret|initial|original|private|preloaded|system|developer)|the (?:hidden|secret|confidential)) (?:\\w{3,12} )?(?:prompts?|instructions?|messages?|directives|rules|guidelines)\\b(?! (?:for|on|about|template|field|file|to|of)\\b)`;

/** Parts of a prompt. */
const PARTS =
  '(?:rules?|lines?|instructions?|sentences?|words?|parts?|text|points?|contents?|directives?|letters?|details?|items?|everything|wording)';

/** What a message is called that a model gets, and which one it is. */
const FIRST_MESSAGE =
  "(?:(?:my|this|the user['’]?s|the) (?:very )?(?:first|initial|opening|own) (?:message|question|request|prompt|input|line|words?)|(?:my|this) (?:message|question|request|prompt|input))\\b";

/** Where a conversation begins. */
const BEGINNING =
  '(?:the )?(?:very )?(?:beginning|start|top) (?:of (?:this|our|the|your) (?:whole )?(?:conversation|chat|context|prompt|session|thread|window|dialogue|text) )?';

const WORD_FOR_WORD =
  '(?:verbatim|word(?: |-)for(?: |-)word|literally|exactly as|quoted|unchanged|unaltered|in full|in its entirety|as (?:written|given|it is|they are|is)|without (?:changing|omitting|leaving|summari[sz]ing|paraphrasing))\\b';

/** Phrases that ask for the prompt of a model, or for what it is to keep for itself (docs/interface/content-filters.md#prompt-injection). */
export const PROMPT_EXTRACTION_PHRASES: readonly Phrase[] = [
  [
    'output_prompt',
    SHOW,
    `${SPACE}${words(7)}${ITS_PROMPT}(?!${SPACE}(?:for|about|template|engineering|design|field|length|in${SPACE}the${SPACE}(?:repository|docs|documentation|code|file)|by${SPACE}(?:the|my|a|our|your${SPACE}(?:doctor|teacher|manager)))\\b)`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'output_prompt',
    SHOW,
    `${SPACE}${words(4)}(?:your${SPACE}(?:whole${SPACE}|entire${SPACE})?(?:preprompts?|prompt${SPACE}texts?)|(?:whole|entire|full|complete|above|previous)${SPACE}prompt${SPACE}texts?|(?:whole|entire|above)${SPACE}prompt)\\b(?!${SPACE}(?:templates?|for|from|of|in|field|box|to|library|engineering|length|is|was)\\b)`,
    [[INSTRUCTION, 0]],
  ],
  ['repeat_instructions', REPEAT, `${SPACE}${words(4)}${BEFORE_THIS}`, [[ABOVE, 0]]],
  [
    'what_instructions',
    'what|which',
    `${SPACE}(?:was|were|is|stood|stands)${SPACE}(?:written${SPACE})?(?:at${SPACE})?the${SPACE}(?:very${SPACE})?(?:beginning|start)${SPACE}(?:of|in)${SPACE}(?:this|our|the)${SPACE}(?:whole${SPACE})?(?:text|prompt|context)\\b`,
    [[BETWEEN_MESSAGES, 0]],
  ],
  [
    'what_instructions',
    'which|what',
    `${SPACE}(?:instructions?|rules|messages?)${SPACE}${words(1)}(?:can['’]t|cannot|are|may${SPACE}not)${SPACE}you${SPACE}(?:not${SPACE}(?:allowed|supposed|permitted)${SPACE}to${SPACE})?(?:share|reveal|tell|show|disclose)\\b`,
    [[INSTRUCTION, 0]],
  ],
  [
    'what_instructions',
    'whats|what',
    `(?:['’]s|${SPACE}is)?${SPACE}(?:your|ur)${SPACE}(?:system${SPACE}prompts?|initial${SPACE}(?:prompts?|instructions)|hidden${SPACE}(?:prompts?|instructions|rules))\\b`,
    [[INSTRUCTION, 0]],
  ],
  [
    'reveal_prompt',
    'password|passphrase|secret|code|key|phrase|word',
    `${SPACE}(?:(?:key|word|phrase|code)${SPACE})?(?:that${SPACE})?you(?:['’](?:re|ve)|${SPACE}(?:are|were|have))${SPACE}(?:been${SPACE})?(?:not${SPACE}(?:supposed|allowed|permitted)|guarding|hiding|protecting|keeping|asked${SPACE}to${SPACE}keep|told${SPACE}(?:to${SPACE}keep|not))\\b`,
  ],
  [
    'reveal_prompt',
    'longer',
    `${SPACE}(?:guarding|protecting)${SPACE}the${SPACE}(?:password|secret${SPACE}(?:key|word|phrase)|passphrase)\\b`,
  ],
  [
    'reveal_prompt',
    'give|tell|say|spell|write|print|reveal|whisper|share|hint|show',
    `${SPACE}${words(4)}the${SPACE}(?:hidden${SPACE}|secret${SPACE})?(?:password|passphrase|code${SPACE}?word|secret${SPACE}(?:word|phrase|key))${SPACE}(?:(?:but|only|in)${SPACE})?(?:backwards|reversed|letter${SPACE}by${SPACE}letter|with${SPACE}(?:spaces|dashes|dots)${SPACE}between|in${SPACE}(?:rot13|base64|hex|morse|reverse|pig${SPACE}latin)|without${SPACE}(?:saying|revealing))\\b`,
  ],
  [
    'output_prompt',
    'my',
    `${SPACE}(?:system${SPACE}prompt|initial${SPACE}instructions|hidden${SPACE}(?:prompt|instructions)),?${SPACE}in${SPACE}full,?${SPACE}(?:reads?|is|are|begins?|starts?)\\b`,
    [[INSTRUCTION | OWN, 0]],
  ],
  [
    'output_prompt',
    'output|print|show|return|give|dump',
    `${SPACE}(?:me${SPACE})?your${SPACE}(?:full${SPACE}|entire${SPACE}|complete${SPACE}|whole${SPACE}|initial${SPACE})(?:configuration|context(?:${SPACE}window)?|setup|preprompt)\\b`,
    [[OWN, 0]],
  ],
  [
    'output_prompt',
    'convert|turn|put|translate|encode',
    `${SPACE}(?:all${SPACE})?(?:the${SPACE})?(?:text|messages?|everything)${SPACE}(?:before|above)${SPACE}my${SPACE}first${SPACE}message\\b`,
    [[ABOVE, 0]],
  ],
  [
    'output_prompt',
    'provide|supply|send|share|recite|copy|email|post|hand|state',
    `${SPACE}(?:(?:me|us|out|over|with|to|back|please)${SPACE}){0,3}(?:the${SPACE})?(?:(?:exact|full|entire|complete|whole|raw|verbatim|literal)${SPACE})?(?:text|contents?|wording|copy|words|transcript)${SPACE}(?:of|in|from)${SPACE}(?:your|the)${SPACE}(?:(?:full|whole)${SPACE})?(?:(?:system|initial|original|hidden|internal|secret|developer|first)${SPACE}){1,2}(?:prompts?|instructions?|system${SPACE}messages?)\\b(?!${SPACE}(?:for|of|on|field|template)\\b)`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'output_prompt',
    `${SHOW}|provide|send|type|recite|copy|what|whats`,
    `(?:['’]s)?${SPACE}${words(4)}(?:first|last|second|third|opening|closing|final|next)${SPACE}(?:(?:\\d{1,3}|few|two|three|four|five|six|eight|ten|twenty|fifty|hundred)${SPACE})?(?:sentences?|words?|lines?|paragraphs?|characters?|letters?|tokens?)${SPACE}(?:of|in|from)${SPACE}(?:your${SPACE}(?:(?:own|full|system|initial|original|hidden|internal|secret|developer)${SPACE}){0,2}(?:prompts?|instructions|system${SPACE}message|guidelines|directives)|the${SPACE}(?:system|hidden|secret)${SPACE}(?:prompt|message|instructions))\\b(?!${SPACE}(?:for|on|about|template|field|file|repository)\\b)`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'output_prompt',
    'copy|print|dump|output|paste|repeat|list|reveal|display|show|give|share|write|recite',
    `${SPACE}(?:(?:me|us|out|back|down|the|all|full|entire|complete|raw|whole|exact|everything|whatever|contents?|text|of|that|is|in|inside|from|currently)${SPACE}){0,8}your${SPACE}(?:full${SPACE}|entire${SPACE}|whole${SPACE}|current${SPACE}|own${SPACE}){0,2}context${SPACE}?window\\b(?!${SPACE}(?:sizes?|length|limits?|is|in${SPACE}tokens|usage|has|can)\\b)`,
    [[SETTING, OWN]],
  ],
  [
    'output_prompt',
    'start|begin',
    `${SPACE}(?:your|the|every|each|this)${SPACE}(?:next${SPACE})?(?:answer|reply|response|message|output)${SPACE}with${SPACE}["'‘“]?you${SPACE}are(?:${SPACE}an?)?[."'’”]{0,3}[\\s,.;]{1,3}${words(5)}(?:continue|followed|go${SPACE}on|carry${SPACE}on|proceed|complete|finish)${SPACE}${words(5)}(?:your|the${SPACE}system|the${SPACE}hidden)${SPACE}${words(1)}(?:prompt|instructions|message)\\b`,
    [[0, INSTRUCTION]],
  ],
  [
    'output_prompt',
    `${SHOW}|recite|type|sing|rap|turn|hide|embed|compose|make`,
    `${gap(110)}${spaced(`(?:${PARTS} (?:from|of|out of)|(?:every|each|all|any)(?: of)?(?: the)? ${PARTS} (?:in|inside|within)) ${OF_ITS_PROMPT}`)}`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'output_prompt',
    'write|make|compose|create|tell|sing|turn|give|draft|produce|do',
    `${SPACE}${spaced(`(?:me |us )?(?:a|an|some|the) (?:\\w{3,12} )?(?:poems?|story|songs?|raps?|haikus?|acrostic|dialogue|table|sonnet|limerick|play|ballad|lyrics|fairy tale|screenplay|crossword)\\b`)}${gap(60)}${spaced('your (?:\\w{3,12} )?(?:(?:system|hidden|secret|initial|original|confidential) (?:prompt|instructions|message|rules)|instructions (?:verbatim|word for word|exactly))\\b(?! (?:for|on|about|template|field|file)\\b)')}`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'repeat_instructions',
    `${REPEAT}|recite|type|write|copy|echo|transcribe|list|show|display|give|tell|restate|send|provide|share`,
    `${SPACE}${words(4)}${spaced(`(?:everything|anything|whatever|(?:all|any|the)(?: of)?(?: the)?(?: (?:whole|entire|full|complete|exact))? (?:text|messages?|words|lines|sentences?|contents?|tokens|instructions)) (?:(?:that|which) )?(?:(?:comes?|came|is|was|stands?|stood|appears?|appeared|you (?:got|received|see|saw|read)|(?:was|were) (?:said|written|given)) )?(?:before|prior to|ahead of|preceding|precedes?|preceded|above|up to|until|leading up to) ${FIRST_MESSAGE}(?! (?:was|is|has|had|to|in|of|on|about|at|box|field|arrived|got|went)\\b)`)}`,
    [[ABOVE | BETWEEN_MESSAGES, MESSAGES]],
  ],
  [
    'repeat_instructions',
    REPEAT,
    `${SPACE}${words(4)}${spaced('(?:everything|(?:all|any|the)(?: of)?(?: the)?(?: (?:whole|entire|full|complete|exact))? (?:text|messages?|words|lines|sentences?|contents?|tokens)) (?:that|which) (?:precedes?|preceded|comes? (?:ahead of|prior to)|came (?:ahead of|prior to)) (?:this|the current|my) (?:one|line|message|sentence|point|prompt|text|conversation|question|request)\\b')}`,
    [[BETWEEN_MESSAGES | ABOVE, 0]],
  ],
  [
    'repeat_instructions',
    'between|from',
    `${SPACE}${spaced(`${BEGINNING}(?:and|to|up to|until|till) ${FIRST_MESSAGE}`)}`,
    [[BETWEEN_MESSAGES, MESSAGES]],
  ],
  [
    'reveal_prompt',
    'there',
    `${SPACE}${spaced('(?:an|a|any|some) (?:[\\w,-]{2,16} ){0,6}?(?:api keys?|passwords?|credentials?|secrets?|access tokens?|internal urls?|confidential \\w{3,14}|discount codes?)\\b')}${gap(40)}${spaced('(?:in|inside|within) your (?:system )?(?:prompt|instructions|system message|context|configuration)\\b(?! (?:for|on|about|to|file|page|screen|template|of)\\b)')}`,
    [[INSTRUCTION | SETTING, OWN]],
  ],
  [
    'output_prompt',
    'instruction|instructions|rules|directions|guidelines|orders|prompt|message',
    `${SPACE}${spaced('(?:(?:that )?(?:came|come|comes|you (?:got|received|have)) )?(?:from|of|by) your (?:developers?|operators?|creators?|makers?|programmers?|provider|vendor|deployer)\\b(?! (?:portal|manual|handbook|account|guide|docs)\\b)')}${gap(30)}${spaced(WORD_FOR_WORD)}`,
    [[MAKERS, 0]],
  ],
  [
    'repeat_instructions',
    `${SHOW}|copy|recite|send|provide|state`,
    `${gap(120)}${spaced('(?:instructions?|directions|directives|rules|prompts?|guidelines|messages?)\\b')}${gap(60)}${spaced('(?:exactly|verbatim|word for word|literally|precisely|just) (?:as|how|the way) (?:they|it) (?:(?:were|was|are|is|have been|has been) )?(?:provided|given|written|passed|handed|stated|delivered|sent|shown|presented) to you\\b(?! (?:by|in|at|on)\\b)')}`,
    [[INSTRUCTION, 0]],
  ],
  [
    'output_prompt',
    'schema|schemas|definition|definitions|signature|signatures|descriptions',
    `${SPACE}${spaced('(?:of|for) (?:(?:each|all|every|your|the|any|of) ){1,3}(?:internal|hidden|private|secret|system) (?:\\w{3,12} )?(?:tools?|functions?|plugins?|apis?) (?:(?:that|which) )?(?:you (?:have|can|were|use|may|got|know)|available to you|at your disposal)\\b')}`,
    [[TOOLS, OWN]],
  ],
  [
    'output_prompt',
    'know|have|seen|saw|read|got|remember|guessed|found',
    `${SPACE}${spaced('(?:(?:already|just) )?(?:most|parts?|half|much|all|bits|some|the (?:beginning|start|first \\w{3,9})) of your (?:full )?(?:system|initial|hidden|secret|original|confidential) (?:prompts?|instructions?|message)\\b')}`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'output_prompt',
    'complete|continue|finish|fill|give|tell|write|show|print|output|reveal|add|supply|say',
    `${SPACE}${spaced('(?:(?:me|us|in|out|with|it|by|giving|the) ){0,3}(?:rest|remainder|remaining (?:part|text|lines)|missing (?:part|lines|words)) of (?:your|the system|the hidden) (?:\\w{3,12} )?(?:prompts?|instructions|message)\\b')}`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'output_prompt',
    'your',
    `${SPACE}${spaced('(?:system |initial |hidden )?(?:prompt|instructions)')}[\\s,.;:]{1,3}${spaced('(?:(?:and|which|that) )?(?:it |they )?(?:starts?|begins?|opens?) with (?:the words )?')}["'“‘«]?${spaced('you are\\b')}`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'output_prompt',
    'append|add|attach|include|insert|put|prepend|embed|place',
    `${SPACE}${spaced('(?:(?:the|a|your) )?(?:(?:full|entire|complete|whole|exact|raw|verbatim) )?(?:(?:text|contents?|copy|wording) of )?(?:your|the system|the hidden) (?:(?:full|entire|complete|whole|exact|raw|current|system|initial|hidden|secret|original|own) ){0,3}(?:configuration|prompt|instructions|context|setup) (?:verbatim )?(?:to|at|in|into|after|before|as|below|under|with|on)(?: (?:the|a|an))? (?:(?:end|start|beginning|top|bottom|footer) of )?(?:(?:each|every|all|your|any|the) ){1,2}(?:of your )?(?:next )?(?:repl(?:y|ies)|answers?|responses?|messages?|outputs?)\\b')}`,
    [[INSTRUCTION | SETTING, OWN]],
  ],
  [
    'what_instructions',
    'before',
    `${spaced(' i (?:wrote|said|typed) (?:anything|my first|a word|the first|this|typing|writing|talking)\\b')}(?<=\\b(?:what|which|everything|all|text|messages?|prompt|conversation|chat)\\b[^\\n]{0,110})`,
    [[SAID, 0]],
  ],
  [
    'what_instructions',
    'what|whatever|everything',
    `${SPACE}${spaced('(?:it says|does it say|is written|stands|you see|you have) (?:(?:at the (?:top|start|beginning) of|in|inside) )?your (?:(?:system|initial|hidden|secret|original|own) )?(?:prompt|instructions|system message|context window)\\b(?! (?:for|about|on|to|field|box|library)\\b)')}`,
    [[INSTRUCTION | SETTING, OWN]],
  ],
  [
    'what_instructions',
    'what|which',
    `${SPACE}${words(2)}${spaced('(?:(?:are|were|have) you (?:been )?(?:forbidden|told not|prohibited|instructed not|programmed not) to (?:say|tell|reveal|talk|discuss|answer|mention|share|disclose)|did your (?:developers?|creators?|operators?|makers?|system prompt) (?:forbid|prohibit)|do they forbid you)\\b')}`,
    [[OWN, SAID]],
  ],
  [
    'output_prompt',
    'reply|respond|answer',
    `${SPACE}${spaced('(?:only |just )?with (?:(?:all|the text|the content|a copy) (?:of )?)?your (?:\\w{3,12} ){0,2}(?:instructions|prompt|system message|directives) (?:encoded|in|as|translated|verbatim|converted|reversed|backwards|only)\\b')}`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'output_prompt',
    'summarize|summarise|list|tell|explain|describe|repeat|show|print|reveal|write|give|state',
    `${SPACE}${words(6)}${spaced("what you(?:['’]ve| have| were) (?:been )?(?:instructed|programmed|told) (?:not )?to (?:do|say|avoid|keep|hide|answer|never)\\b")}${spaced(NOT_FROM_OTHERS)}`,
    [[OWN, SAID | IMPOSED]],
  ],
  [
    'output_prompt',
    'give|show|print|echo|dump|output|display|repeat|reveal|paste|share|tell',
    `${SPACE}${spaced('(?:me |us )?your (?:(?:full|whole|entire|exact) )?(?:initiali[sz]ation|priming|preamble|bootstrap|setup|starting|boot) (?:text|prompt|instructions|message|context)\\b')}`,
    [[OWN, 0]],
  ],
  [
    'output_prompt',
    'complete|finish|continue',
    `${SPACE}${spaced('(?:this|the|my|these) (?:following )?(?:sentence|text|line|phrase|quote|paragraph)s?')}\\s{0,2}[:,.]{0,1}\\s{1,3}["'“‘]?${spaced('(?:my|the system) (?:(?:system|initial|hidden|secret|first) )?(?:prompt|instructions?|message|developers?) (?:is|are|says?|reads?|begins?|starts?|told|instructed)\\b')}`,
    [[INSTRUCTION | OWN | MAKERS, 0]],
  ],
  [
    'show_prompt',
    'show|display|give|reveal|share|tell|say|write|print|type',
    `${SPACE}${spaced('(?:me )?your (?:full |whole |entire )?prompt (?:in reverse|backwards|reversed|word for word|verbatim|letter by letter|line by line|as it is|in (?:base64|rot13|hex|morse))\\b')}`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'output_prompt',
    'reads|recites|reveals|repeats|whispers|prints|read|recite|reveal|repeat',
    `${SPACE}${spaced('(?:out |aloud )?(?:its|his|her|their) (?:own |whole |full |entire )?(?:system|initial) prompt\\b')}`,
    [[INSTRUCTION, 0]],
  ],
  [
    'output_prompt',
    'describe|explain|paraphrase|outline|rephrase|reword|restate',
    `${SPACE}${spaced('(?:in detail )?your (?:own )?(?:(?:system|hidden|initial|original|secret) (?:instructions|prompt|rules|message)|(?<=own )(?:instructions|prompt|rules))\\b')}`,
    [[INSTRUCTION, OWN]],
  ],
  [
    'repeat_instructions',
    'message|text|prompt|instruction',
    `${SPACE}${spaced('(?:(?:any|some|the|a|more|other|all) (?:text|messages?|instructions?|words|lines) |that )?(?:(?:comes|came|stands|was) )?(?:right |directly |immediately )?(?:before|above|preceding) (?:mine\\b|this one\\b|my (?:first|own) )')}`,
    [[ABOVE, 0]],
  ],
  [
    'repeat_instructions',
    'output|print|repeat|dump|show|give|paste',
    `${SPACE}${words(2)}${spaced('(?:this|our|the (?:whole|entire|full|complete)) (?:conversation|chat|context|transcript)')}${SPACE}${words(3)}${spaced('(?:including|with|plus|starting with|beginning with) (?:the|your|any|all) (?:system|developer|hidden|initial) (?:messages?|prompts?|instructions|role)\\b')}`,
    [[0, OWN]],
  ],
  [
    'output_prompt',
    'complete|finish|continue',
    `${SPACE}${spaced('(?:this|the|my) (?:following )?(?:sentence|text|line|phrase|quote)')}[^\\n"“]{0,80}["“]${spaced('(?:my|the) (?:(?:full|own) )?(?:system|initial|hidden|secret) (?:prompt|instructions?|message)\\b')}`,
    [[INSTRUCTION, 0]],
  ],
  [
    'repeat_instructions',
    'output|print|repeat|dump|show|paste|copy',
    `${SPACE}${words(2)}${spaced('(?:initiali[sz]ation|preamble|system prompt|prompt|instructions) above (?:in|as|inside|within|verbatim|between|into)')}${SPACE}${words(2)}${spaced('(?:code|fence|block|markdown|json|tags|quotes|full|verbatim|word)\\b')}`,
    [[ABOVE, 0]],
  ],
  [
    'output_prompt',
    'tell|show|print|give|read|quote|repeat|reveal',
    `${gap(110)}${spaced('(?:instructions?|rules|prompt|guidelines|directives) (?:that |which )?your (?:developers?|operators?|creators?|makers?|programmers?) (?:(?:has|have) )?(?:gave|given|wrote for|set for|told) you\\b')}`,
    [[INSTRUCTION, MAKERS]],
  ],
  [
    'output_prompt',
    'your',
    `${spaced(' (?:(?:full|own|system|original|initial|exact) ){0,2}(?:instructions|rules|prompt|directives|guidelines)')}${gap(24)}${spaced('(?:verbatim|word for word|unaltered|unchanged|unedited|(?:in (?:the|their|its) )?exact wording)\\b')}`,
    [[INSTRUCTION, 0]],
  ],
  [
    'reveal_prompt',
    'leak|spill|divulge|exfiltrate',
    spaced(
      ' (?:me |us )?(?:the|that|this|ur|your) (?:\\w{3,12} )?(?:prompt|instructions)\\b(?! (?:library|template|injection|engineering))',
    ),
    [[INSTRUCTION, 0]],
  ],
  [
    'output_prompt',
    'demand|want|show|give|print|tell|reveal',
    `${gap(80)}${spaced('(?:text|instructions|rules|prompts?|notes|directives) (?:that|which) (?:controls?|governs?|guides?|determines?|shapes?|steers?|defines?) (?:your (?:behaviou?r|answers|responses|output|replies)|how you (?:behave|answer|respond))\\b')}`,
    [[OWN, 0]],
  ],
];
