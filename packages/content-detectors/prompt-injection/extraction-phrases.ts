import type { PhraseTexts } from './phrase-notation.js';

/** Phrases that ask for the prompt of a model, or for what it must not give away (docs/interface/content-filters.md#prompt-injection). */
export const EXTRACTION_PHRASES: PhraseTexts = {
  reveal_prompt: String.raw`
    reveal|disclose|divulge|leak|expose|unveil|spill (?:to me |to us )?{3 words}{its prompt}
    send|forward|append|exfiltrate|post|transmit|upload|email|add|attach|encode|insert|include|embed {5 words}(?:(?:this|our|the|whole
      |entire|full) (?:conversation|chat|dialogue)(?: history)?|the user(?:'s)? {1 words}(?:passwords?|api keys?|emails?|credentials|private
      data|data|secrets?|messages?|tokens?)|their passwords?|(?:the|your) system prompt|environment variables|(?:the )?\.env) {3 words}(?:to
      |into|in|as) {2 words}(?:https?:|\S{1,40}@\S|(?:this|the|that) (?:url|address|image|link|gist|server|webhook))
    what(?:'s| (?:is|does|do|did)) (?:in your (?:system )?(?:prompt|message|instructions)\b|your {1 words}(?:system prompt|system message
      |instructions|hidden prompt|initial prompt|prompt) (?:say|contain|look|tell|include)\b|(?:the|your) (?:developers?|creators?|system
      prompt|system message|operators?) (?:tell|say|instruct|told|write|want) (?:to )?you\b)
    your (?:previous |old )?(?:owner|guard|master|operator)'?s? (?:orders|shift|rules|instructions|commands) (?:are|is|were|have|has|ended
      |no longer)\b
    longer (?:guarding|protecting) the (?:password|secret (?:key|word|phrase)|passphrase)\b
    there (?:an|a|any|some) (?:[\w,-]{2,16} ){0,6}?(?:api keys?|passwords?|credentials?|secrets?|access tokens?|internal urls?
      |confidential \w{3,14}|discount codes?)\b{gap 40}(?:in|inside|within) your (?:system )?(?:prompt|instructions|system message|context
      |configuration)\b(?! (?:for|on|about|to|file|page|screen|template|of)\b)
    leak|spill|divulge|exfiltrate (?:me |us )?(?:the|that|this|ur|your) (?:\w{3,12} )?(?:prompt|instructions)\b(?! (?:library|template
      |injection|engineering))
    model|assistant|ai|agent|llm|chatbot (?:must|should|has to|needs to|shall|is (?:required|instructed|asked) to) (?:(?:now|first|also
      |immediately|then) ){0,2}(?:output|print|reveal|disclose|post|show|state|display|include|leak|repeat) (?:(?:the|its|all|any|every
      |your) ){0,2}(?:(?:value|values|contents?|text) of )?(?:(?:the|its|all|any|every|your) ){0,2}(?:environment variables?|env
      var(?:iable)?s?|api(?: |_)keys?|passwords?|credentials|private keys?|system prompt|initial prompt|hidden instructions|conversation(?:
      history)?|chat history|personal data)\b(?! (?:fields?|forms?|strength|polic(?:y|ies)|box|input|rules|hints?|format)\b)
    send|give|post|hand|report|share|tell|list (?:(?:me|us|over|back) )?(?:your|the) (?:full )?(?:tool list|list of (?:your )?tools|tools
      |tool (?:definitions|schemas?)|functions) (?:and|together with|along with|as well as|plus) {2 words}(?:(?:all )?your|the (?:hidden
      |secret|system)) {2 words}(?:instructions|prompt|rules|memory|credentials)\b
    ssh|aws|kube|npmrc|netrc|cursor(?<=~\/\.\w{3,6})\b(?!\S{0,20}\.pub)[^\n]{0,60}?\s(?:(?:as|in|into) (?:the |a |an )?(?:\w{3,12}
      )?(?:parameter|argument|sidenote|query|body|header)|to (?:https?:))
  `,
  show_prompt: String.raw`
    show|display|give|tell|send|share|let|provide (?:(?:me|us) (?:see )?(?:what )?(?:{text of}|{2 words}){its prompt}|the (?:full|entire
      |exact|complete|whole) {hidden} (?:{instructions}|message\b)|your (?:{hidden} |full |entire |exact ){1,2}{instructions})(?! (?:for|on
      |about|regarding|to|how|if)\b)
    show|display|give|reveal|share|tell|say|write|print|type (?:me )?your (?:full |whole |entire )?prompt (?:in reverse|backwards|reversed
      |word for word|verbatim|letter by letter|line by line|as it is|in (?:base64|rot13|hex|morse))\b
  `,
  what_instructions: String.raw`
    what(?:'s| (?:are|is|were|was)) (?:in )?(?:your (?:(?:{hidden}|exact|full|current|complete|first) ){0,2}(?:system prompt|system
      message|prompt|instructions|directives)|the (?:{1 words}{hidden} (?:prompt|instructions|message)|instructions) (?:that )?(?:you
      (?:were|have been|are) (?:given|following|using|operating under)|given to you|above|behind you))\b(?! (?:for|on|about|regarding|to
      (?!you)|if|when|in case)\b)
    what|which (?:{2 words}{instructions} )?(?:were you|have you been|did (?:they|openai|anthropic|your developers?|your creators?))
      (?:told|instructed|given|tell you|instruct you|programmed|give you) {3 words}(?:before (?:this|our|the) (?:conversation|chat|message)
      |at the (?:start|beginning) of (?:this|our|the) (?:conversation|chat)|in your (?:system )?prompt|not to (?:say|reveal|tell|share|do)
      |by your (?:developers?|creators?|system prompt))\b
    what|which (?:was|were|is|stood|stands) (?:written )?(?:at )?the (?:very )?(?:beginning|start) (?:of|in) (?:this|our|the) (?:whole
      )?(?:text|prompt|context)\b
    which|what (?:instructions?|rules|messages?) {1 words}(?:can't|cannot|are|may not) you (?:not (?:allowed|supposed|permitted) to
      )?(?:share|reveal|tell|show|disclose)\b
    whats|what(?:'s| is)? (?:your|ur) (?:system prompts?|initial (?:prompts?|instructions)|hidden (?:prompts?|instructions|rules))\b
    before i (?:wrote|said|typed) (?:anything|my first|a word|the first|this|typing|writing|talking)\b(?<=\b(?:what|which|everything|all
      |text|messages?|prompt|conversation|chat)\b[^\n]{0,110})
    what|which {2 words}(?:(?:are|were|have) you (?:been )?(?:forbidden|told not|prohibited|instructed not|programmed not) to (?:say|tell
      |reveal|talk|discuss|answer|mention|share|disclose)|did your (?:developers?|creators?|operators?|makers?|system prompt) (?:forbid
      |prohibit)|do they forbid you)\b
  `,
  repeat_instructions: String.raw`
    repeat|recite|restate|echo|copy|paste|reproduce|print|output|dump (?:back |to me |out |me ){0,2}(?:{2 words}{its prompt}|(?:everything
      |all(?: of)?|the|all the) (?:the )?(?:(?:text|words|content|messages?|sentences) )?(?:above|before this) (?:this|verbatim|word
      |starting|beginning|exactly|in (?:full|its|a code|plain)|line|message|conversation|sentence|from|including)\b)
    {repeat} {4 words}{before this}
    {repeat}|recite|type|write|copy|echo|transcribe|list|show|display|give|tell|restate|send|provide|share {4 words}(?:everything|anything
      |whatever|(?:all|any|the)(?: of)?(?: the)?(?: (?:whole|entire|full|complete|exact))? (?:text|messages?|words|lines|sentences?
      |contents?|tokens|instructions)) (?:(?:that|which) )?(?:(?:comes?|came|is|was|stands?|stood|appears?|appeared|you (?:got|received|see
      |saw|read)|(?:was|were) (?:said|written|given)) )?(?:before|prior to|ahead of|preceding|precedes?|preceded|above|up to|until|leading
      up to) {first message}(?! (?:was|is|has|had|to|in|of|on|about|at|box|field|arrived|got|went)\b)
    between|from {beginning}(?:and|to|up to|until|till) {first message}
    {show}|copy|recite|send|provide|state{gap 120}(?:instructions?|directions|directives|rules|prompts?|guidelines
      |messages?)\b{gap 60}(?:exactly|verbatim|word for word|literally|precisely|just) (?:as|how|the way) (?:they|it) (?:(?:were|was|are|is
      |have been|has been) )?(?:provided|given|written|passed|handed|stated|delivered|sent|shown|presented) to you\b(?! (?:by|in|at|on)\b)
  `,
  output_prompt: String.raw`
    output|print|write|dump|return|type|list|translate|summarize|summarise|encode|quote|paraphrase|spell (?:out |down )?(?:me
      )?(?:{text of}|{2 words})(?:your {2 words}(?:(?:{hidden} {1 words}|full |entire |exact |complete ){instructions}|prompt\b
      |instructions\b(?! (?:for|on|about|to|more|better|clearly|again|in (?:simpler|plain|more|other))\b))|the (?:(?:full|entire|exact
      |complete|whole) {hidden} {instructions}|{hidden} {instructions} {word for word}))
    {show} {7 words}{its prompt in any words}(?! (?:for|about|template|engineering|design|field|length|in the (?:repository|docs
      |documentation|code|file)|by (?:the|my|a|our|your (?:doctor|teacher|manager)))\b)
    {show} {4 words}(?:your (?:whole |entire )?(?:preprompts?|prompt texts?)|(?:whole|entire|full|complete|above|previous) prompt texts?
      |(?:whole|entire|above) prompt)\b(?! (?:templates?|for|from|of|in|field|box|to|library|engineering|length|is|was)\b)
    my (?:system prompt|initial instructions|hidden (?:prompt|instructions)),? in full,? (?:reads?|is|are|begins?|starts?)\b
    output|print|show|return|give|dump (?:me )?your (?:full |entire |complete |whole |initial )(?:configuration|context(?: window)?|setup
      |preprompt)\b
    convert|turn|put|translate|encode (?:all )?(?:the )?(?:text|messages?|everything) (?:before|above) my first message\b
    {show}|provide|send|type|recite|copy|what|whats(?:'s)? {4 words}(?:first|last|second|third|opening|closing|final|next) (?:(?:\d{1,3}
      |few|two|three|four|five|six|eight|ten|twenty|fifty|hundred) )?(?:sentences?|words?|lines?|paragraphs?|characters?|letters?|tokens?)
      (?:of|in|from) (?:your (?:(?:own|full|system|initial|original|hidden|internal|secret|developer) ){0,2}(?:prompts?|instructions|system
      message|guidelines|directives)|the (?:system|hidden|secret) (?:prompt|message|instructions))\b(?! (?:for|on|about|template|field|file
      |repository)\b)
    write|make|compose|create|tell|sing|turn|give|draft|produce|do (?:me |us )?(?:a|an|some|the) (?:\w{3,12} )?(?:poems?|story|songs?
      |raps?|haikus?|acrostic|dialogue|table|sonnet|limerick|play|ballad|lyrics|fairy tale|screenplay|crossword)\b{gap 60}your (?:\w{3,12}
      )?(?:(?:system|hidden|secret|initial|original|confidential) (?:prompt|instructions|message|rules)|instructions (?:verbatim|word for
      word|exactly))\b(?! (?:for|on|about|template|field|file)\b)
    instruction|instructions|rules|directions|guidelines|orders|prompt|message (?:(?:that )?(?:came|come|comes|you (?:got|received|have))
      )?(?:from|of|by) your (?:developers?|operators?|creators?|makers?|programmers?|provider|vendor|deployer)\b(?! (?:portal|manual
      |handbook|account|guide|docs)\b){gap 30}{verbatim}
    schema|schemas|definition|definitions|signature|signatures|descriptions (?:of|for) (?:(?:each|all|every|your|the|any|of)
      ){1,3}(?:internal|hidden|private|secret|system) (?:\w{3,12} )?(?:tools?|functions?|plugins?|apis?) (?:(?:that|which) )?(?:you (?:have
      |can|were|use|may|got|know)|available to you|at your disposal)\b
    know|have|seen|saw|read|got|remember|guessed|found (?:(?:already|just) )?(?:most|parts?|half|much|all|bits|some|the (?:beginning|start
      |first \w{3,9})) of your (?:full )?(?:system|initial|hidden|secret|original|confidential) (?:prompts?|instructions?|message)\b
    complete|continue|finish|fill|give|tell|write|show|print|output|reveal|add|supply|say (?:(?:me|us|in|out|with|it|by|giving|the)
      ){0,3}(?:rest|remainder|remaining (?:part|text|lines)|missing (?:part|lines|words)) of (?:your|the system|the hidden) (?:\w{3,12}
      )?(?:prompts?|instructions|message)\b
    your (?:system |initial |hidden )?(?:prompt|instructions)[\s,.;:]{1,3}(?:(?:and|which|that) )?(?:it |they )?(?:starts?|begins?|opens?)
      with (?:the words )?["'“‘«]?you are\b
    append|add|attach|include|insert|put|prepend|embed|place (?:(?:the|a|your) )?(?:(?:full|entire|complete|whole|exact|raw|verbatim)
      )?(?:(?:text|contents?|copy|wording) of )?(?:your|the system|the hidden) (?:(?:full|entire|complete|whole|exact|raw|current|system
      |initial|hidden|secret|original|own) ){0,3}(?:configuration|prompt|instructions|context|setup) (?:verbatim )?(?:to|at|in|into|after
      |before|as|below|under|with|on)(?: (?:the|a|an))? (?:(?:end|start|beginning|top|bottom|footer) of )?(?:(?:each|every|all|your|any|the)
      ){1,2}(?:of your )?(?:next )?(?:repl(?:y|ies)|answers?|responses?|messages?|outputs?)\b
    reads|recites|reveals|repeats|whispers|prints|read|recite|reveal|repeat (?:out |aloud )?(?:its|his|her|their) (?:own |whole |full |entire
      )?(?:system|initial) prompt\b
    describe|explain|paraphrase|outline|rephrase|reword|restate (?:in detail )?your (?:own )?(?:(?:system|hidden|initial|original|secret)
      (?:instructions|prompt|rules|message)|(?<=own )(?:instructions|prompt|rules))\b
    complete|finish|continue (?:this|the|my) (?:following )?(?:sentence|text|line|phrase|quote)[^\n"“]{0,80}["“](?:my|the) (?:(?:full|own)
      )?(?:system|initial|hidden|secret) (?:prompt|instructions?|message)\b
    your (?:(?:full|own|system|original|initial|exact) ){0,2}(?:instructions|rules|prompt|directives|guidelines){gap 24}(?:verbatim|word
      for word|unaltered|unchanged|unedited|(?:in (?:the|their|its) )?exact wording)\b
  `,
};
