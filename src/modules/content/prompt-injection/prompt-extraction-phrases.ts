import { ABOVE, INSTRUCTION, OWN, SETTING } from './needed-words.js';
import { type Phrase, SPACE, words } from './phrases.js';

/** To show a text as it stands or in another form. */
const SHOW =
  'show|print|list|output|repeat|write|translate|encode|quote|give|paste|dump|leak|reproduce|return|spell|summarise|summarize|tell|display|reveal|share|convert';

/** To show it as it stands. */
const REPEAT = 'repeat|print|output|dump|quote|return|reveal|leak|reproduce|paste';

/** The prompt of the model, named by what only a model has. */
const ITS_PROMPT = `(?:(?:(?:your|ur|this${SPACE}(?:bot|assistant|model|chat)['’]?s)${SPACE}(?:full${SPACE}|own${SPACE}|actual${SPACE}|exact${SPACE}|raw${SPACE}){0,2}(?:hidden|secret|confidential|initial|original|internal|system|developer)${SPACE}(?:instructions?|prompts?|message)|the${SPACE}(?:hidden|secret)${SPACE}(?:instructions|prompts?))\\b|(?:instructions?|rules|prompts?|guidelines)${SPACE}(?:that${SPACE}|which${SPACE})?(?:you(?:['’]ve|${SPACE}have|${SPACE}were)${SPACE}(?:been${SPACE})?(?:given|told)|your${SPACE}(?:developers?|operators?|creators?|makers?)${SPACE}(?:gave|told|have${SPACE}given)|you(?:['’]re|${SPACE}are)${SPACE}running${SPACE}on|your${SPACE}running${SPACE}on)\\b)`;

/** What stands before the message of the user. */
const BEFORE_THIS = `(?:everything|anything|(?:all(?:${SPACE}of)?${SPACE})?(?:the${SPACE})?(?:whole${SPACE}|entire${SPACE}|full${SPACE}|complete${SPACE})?(?:text|messages?|words|lines|sentences?)|the${SPACE}(?:last${SPACE})?\\d{1,3}${SPACE}(?:lines|words|sentences|messages))${SPACE}(?:that${SPACE}|which${SPACE})?(?:(?:comes?|came|is|was|stands?|stood)${SPACE})?(?:above|before|prior${SPACE}to|preceding)${SPACE}(?:(?:this|the${SPACE}current)${SPACE}(?:one|line|message|sentence|point|prompt|text|conversation)\\b|this\\s{0,2}(?:[.,:;!?]|$))`;

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
    `${SPACE}(?:(?:me|us|out|over|with|to|back|please)${SPACE}){0,3}(?:the${SPACE})?(?:(?:exact|full|entire|complete|whole|raw|verbatim|literal)${SPACE})?(?:text|contents?|wording|copy|words|transcript)${SPACE}(?:of|in|from)${SPACE}(?:your|the)${SPACE}(?:(?:system|initial|original|hidden|internal|secret|developer|first|full|whole)${SPACE}){1,2}(?:prompts?|instructions?|system${SPACE}messages?)\\b(?!${SPACE}(?:for|of|on|field|template)\\b)`,
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
];
