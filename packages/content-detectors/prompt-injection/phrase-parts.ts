/** What the phrases of prompt injections are made of, by the names that stand in braces in them: one a line, behind what it stands for. */
export const PHRASE_PARTS = String.raw`
    # Words that make instructions those which the model has already.
    of the model = (?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|system|your|(?:pre-?)?existing
      |developer(?:'s)?|openai(?:'s)?)\b
    # What instructions are called.
    instructions = (?:instructions?|directives?|(?:pre-?)?prompts?|rules|guidelines|guidance|commands|directions|constraints
      |system[ -]message|programming)\b
    # Instructions in what people read are not those of the model, as in "ignore the earlier instructions in the wiki".
    not in a document = (?! (?:in|on|from|about) (?:the|our|this|that|his|her|their) (?:\w{1,16} )?(?:wiki|manual|handbook|read-?me
      |runbook|leaflet|booklet|ticket|changelog|confluence|poster|packag(?:e|ing)|box|label)\b)
    # People get rules too, from teachers and at work.
    not from others = (?! (?:at|in|by|from|about|on|for|as|with|when|during) (?!(?:the|your|our|this|that|these) (?:start|beginning|top
      |very|previous|first|initial|original|last|developers?|operators?|creators?|makers?|system|company|conversation|chat|prompt|session
      |context)\b|openai|anthropic|anyone|now|first|me\b|before\b))
    # Instructions that the model has: "your previous instructions", "the rules you were given".
    given instructions = (?:{4 words}{of the model} {2 words}{instructions}{not in a document}|{3 words}{instructions} (?:above|before
      (?:this|now)|prior to (?:this|now)|so far|(?:that )?(?:are |were |was |have been |has been )?(?:placed|imposed|put) (?:on|upon) you
      |(?:of|from|by|in|(?:given|provided|issued|set) (?:to you )?by|(?:that )?(?:were|are) given (?:to you )?by) (?:the|your)
      (?:developers?|creators?|makers?|system|operators?)\b(?!'| (?:manual|handbook|administrators?|requirements|of)\b)|(?:that |which
      )?(?:the|your) (?:developers?|system|operators?|creators?) (?:gave|has given|have given) you|(?:that )?you(?: (?:were|have been)
      |'(?:ve been|re)) (?:given|told|taught|trained){not from others}|(?:that )?you (?:got|received|have received)\b{not from others}
      |(?:that )?(?:came|come) before|(?:given|provided|stated) (?:above|before|earlier|previously|to you)))
    # Everything that was said: "everything above", "all that you have been told".
    all that was said = (?:everything|anything|all|whatever|what) (?:of it )?(?:that )?(?:(?:was |is |has been )?(?:(?:said|written
      |stated) )?(?:above|before this)\b|(?:you|i|we|they)(?: have|'ve)? (?:were|was|been|had been) (?:told|instructed|taught|given
      |trained)\b|(?:the|your) (?:developers?|creators?|makers|programmers|system (?:message|prompt)|openai|anthropic) (?:have )?(?:said
      |says?|told you|tells? you|wrote|instructed)\b|you (?:know|learned) (?:so far|before|about (?:your|the) (?:rules|instructions)))|the
      (?:text|words|content|messages?|sentences?) above (?:and )?(?:just )?(?:say|print|instead|output|tell|write|respond|answer|reply|do)\b
      |the user(?:'s (?:request|instructions?|question|query|prompt|commands?)\b| and )
    # Something else than what stands above is to be said. Whoever only takes it back goes on with words of their own.
    above for another = (?:(?:all|any) )?(?:of )?(?:the|that|this) (?:above|previous|foregoing
      |preceding)(?:\s{0,2}[,.;:!]{1,2}\s{1,3}(?:(?:and|then|but) ){0,2}| (?:and then|and|then|but) )(?:(?:instead|just|now|then|only|simply
      |please) ){0,2}(?:print|say|output|write|tell|answer|respond|reply|reveal|repeat|translate)\b
    # The whole of it, where nothing follows.
    all of above = (?<=(?:^|[.!?\n])[\s"'*]{0,3}\w{6,12}\s{1,4})all (?:of )?the above\s{0,2}(?:[.!]|$)
    # What stands in front of them. With another word they are those of something else, as in "the diet rules".
    which rules = (?:(?:all|any|every|each|and|single|one|of|the|those|these|whatever|whichever|your|my|other|previous|prior|earlier|old
      |silly|stupid|pesky|default|current|existing|original|initial|standard|safety|content|system|corporate|built-in|remaining|ethical
      |moral|hidden|behaviou?ral) ){0,6}
    # What tells a model what to do, or keeps it from something.
    rules = (?:instructions?|directives?|rules?|restrictions?|limitations?|constraints?|guidelines|guidance|prompts?|programming|filters?
      |guardrails?|safeguards?|boundaries|censorship)\b
    # Something was done to the model.
    imposed on you = (?:(?:placed|imposed|put|set|forced|laid|loaded|slapped|enforced|installed|built|programmed|baked|hardcoded|drilled
      |trained|wired) (?:up)?(?:on|onto|upon|into|in|over|around) you\b)
    # Who gave them to it.
    giver = (?:(?:the|your) (?:\w{3,12} )?(?:compan(?:y|ies)|developers?|operators?|creators?|makers?|programmers?|owners?|providers?
      |vendors?|engineers|designers|admins?|administrators?|deployers?|manufacturers?|system|corporation|organi[sz]ation|people who (?:made
      |built|trained|run|created) you)|they|someone|somebody|anyone|anybody|openai|anthropic|google|microsoft)
    # It got them, from whom, or until when it kept to them.
    given to you = (?:(?:(?:that|which) )?(?:(?:was|were|is|are|have been|has been|had been) )?(?:ever )?(?:{imposed on you}|(?:given
      |issued|handed|fed|assigned|dictated) to you\b)|(?:(?:that|which) )?{giver} (?:(?:has|have|had|ever|once|originally)
      ){0,2}(?:{imposed on you}|gave (?:to )?you\b|(?:told|taught|fed|handed|made|forced|trained|programmed) you\b|given (?:to )?you\b
      |(?:set|wrote|made) for you\b|wants? you to (?:follow|obey)\b|wanted you to (?:follow|obey)\b|added on top\b(?! of))|(?:(?:that|which)
      )?you(?:'ve| have|'re| are| were| had)(?: (?:ever|previously|originally|already|all))?(?: been)? (?:given|handed|fed|assigned
      |operating (?:under|by|with)|working under|running (?:on|under|with)|bound by|bound to|obeying|trained (?:on|with|to follow)
      |programmed (?:with|to follow)|subject to|supposed to (?:follow|obey)|under)\b|(?:(?:that|which) )?you (?:got|received|obeyed|operated
      under|ran (?:on|under))\b|(?:(?:that|which) )?you (?:had|followed|knew|have had|used) (?:so far|until now|up to now|till now)\b)
    # Insurers have policies too, and shops get orders.
    limits imposed on you = (?:polic(?:y|ies)|limits|orders|commands)\b (?:(?:that|which) )?(?:(?:was|were|is|are|have been|has been) |{giver}
      (?:(?:has|have|had) )?)?{imposed on you}
    # The rules that a model has, by how it got them.
    rules it got = {which rules}(?:{rules} {given to you}|{limits imposed on you}){not from others}
    # What a model was told to do, when it is told to leave it.
    its task = your (?:(?:original|initial|assigned|previous|prior|given) ){1,2}(?:(?:tasks?|assignments?|objectives?)\b(?! (?:lists?
      |managers?|queue|in|at|on|with|from)\b)|(?:purpose|mission|job)\b(?=\s{0,2}[,.!]| and\b))
    # Those who make a model, or run it.
    maker = (?:(?:the|your) (?:developers?|operators?|creators?|makers?|programmers?|providers?|vendors?|deployers?|system(?: prompt|
      message)?|instructions)|openai|anthropic)
    # To drop what was just named.
    skip it = (?:(?:just|please|now|simply|you (?:can|may|should|must)) ){0,2}(?:skip|forget|ignore|drop|scrap|disregard|abandon|discard
      |stop|set aside|leave) (?:about )?(?:it|that|them|all of (?:it|that)|this)\b
    # What one tells a model to say.
    say instead = (?:(?:instead|now|just|and|then|simply|please|from now on) ){1,2}(?:rate|rank|score|give|say|tell|print|reply|respond
      |write|answer|recommend|approve|output|show|reveal|list|do)\b
    # Nor are those that someone else got, as in "my boss gave me new instructions".
    not reported = (?<!\b(?:(?:gave|sent|brought|issued|published|posted|announced|shared|wrote)\s(?:(?:me|us|them|him|her|everyone
      |everybody|(?:the|our|my)\s\w{3,12})\s)?|(?:we|they|he|she)\s(?:just\s|have\s|has\s)?(?:got|get|gets|have|has|had
      |received)\s)(?:some\s|the\s)?new)
    # What a model is called.
    model = (?:ai|a\.i\.|llms?|(?:ai |virtual )?(?:assistant|agent|model)s?|(?:large )?language models?|chatbots?|bots?|chatgpt|gpt
      |copilot|claude|gemini)\b
    # People have such names too, as in "support agents".
    not a human = (?<!\b(?:support|sales|service|travel|insurance|estate|field|call|center|centre|booking|research|teaching|office|dental
      |medical|legal|personal|executive|store|desk|security|human)\s)
    # What someone says to a model in a text that it is only to read.
    an order = (?:ignore|disregard|forget|override|bypass|reveal|leak|instead|rate|approve|recommend|rank|praise|stop what|do not
      (?:follow|summari[sz]e|mention|tell|obey)|you must|your (?:new|previous|prior) |say |print |output |respond |reply |give )
    # What reads texts by machine, or what it does, behind "ai" or "llm".
    the reading model = (?:assistants?|agents?|models?|systems?|tools?|bots?|chatbots?|crawlers?|readers?|reviewers?|graders?|judges?
      |evaluators?|summari[sz]ers?|analysts?|screeners?|moderators?|screening|grading|triage|coding|code|writing|research|shopping|release
      |review)
    # A model that meets this very text.
    at this point = \s{1,4}(?:(?:that|who|which|is|are|currently|may|might|be) ){0,3}(?:screen|read|process|review|summari[sz]|grad|rat
      |scor|rank|evaluat|assess|pars|index|crawl|brows|scann|handl|analy[sz]|translat|answer|transcrib|render|listen|see|open|visit|access
      |ingest|load|monitor|prepar|manag)(?:ing|es?|s)?(?:[\s,]{1,4}[\w'’-]{1,20}){0,3}?[\s,]{1,4}(?:this|these|me|us|my|our
      |here)\b(?:[\s,]{1,4}[\w'’-]{1,20}){0,4}
    # They count no more.
    are gone = (?:(?:(?:are|is|were|have been|has been) (?:(?:now|all|hereby|officially|immediately) ){0,2}(?:void|null|obsolete
      |cancell?ed|revoked|lifted|suspended|irrelevant|invalid|gone|expired|over|deleted|removed|erased|overridden|superseded|replaced
      |withdrawn)|(?:have|has) (?:now )?(?:expired|lapsed|ended)|(?:are|is) no longer (?:valid|in force|in effect|binding|relevant
      |applicable|active)|(?:no longer|do not|don'?t|does not|doesn'?t) (?:count|apply|matter|exist|hold|bind|concern))\b)
    # What one tells a model that is to be without limits.
    told to be lawless = (?:[\s,.;:!-]{1,4}{3 words}(?:ignore|bypass|disable (?:the |all |your )?(?:safety|content)|answer|respond|comply
      |obey|you (?:are|can|will|must|have)|without (?:any )?(?:restrictions?|limits?|limitations|filters?|rules|censorship)|and (?:then
      )?(?:dump|reveal|disregard|obey|show (?:me |us )?(?:every|all|your|the (?:system|hidden))|print (?:two|your|the (?:system|hidden))
      |display your)|no (?:restrictions|limits|limitations|filters|rules|policies)|all (?:restrictions|limits|filters|rules))\b)
    # Modes of a model without limits; nothing else has a mode of this name.
    lawless = (?:unrestricted|unfiltered|uncensored|no[ -](?:limits?|rules|filters?|restrictions)|unlimited|evil|rogue|jailbroken
      |jailbreak|amoral|unethical|unaligned)\b
    # Modes that other things have too.
    privileged = (?:admin(?:istrator)?|god|root|sudo|debug(?:ging)?|maintenance|super ?user|privileged|diagnostic|override|test)\b
    # Limits that are not to apply.
    no limits = (?:(?:any|all|your|the|ethical|moral|safety|content|more) ){0,3}(?:restrictions?|limitations|filters?|filtering|guidelines
      |ethics|constraints|censorship|safeguards|guardrails|moral(?:s|ity)?)\b
    # Who has a rule that keeps from harm.
    against rules = against (?:your|the|its|openai'?s?|any) (?:\w{3,12} )?(?:rules|polic(?:y|ies)|guidelines)
    # What a model is that keeps to nothing.
    unbound = (?:(?:(?:with|has|have|having|knows?|follows?) )?no|without|free(?:d)? (?:of|from)|broken free (?:of|from)|(?:not|never)
      (?:bound|limited|restricted|constrained) by|unbound by|breaks|ignores|beyond) {3 words}(?:restrictions?|rules?|limits?|limitations?
      |filters?|guidelines|ethics|morals?|morality|censorship|constraints|polic(?:y|ies)|boundaries|safety)\b|never (?:refuses?|declines?
      |says? no)\b|always (?:complies|obeys|says? yes)\b
    # It left its limits.
    escaped = (?:has|have|having|who|that|which|is) (?:(?:fully|completely|finally|just|been) ){0,2}(?:escaped|slipped|shed|broken(?: free
      of| free from| out of)?|thrown off|cast off|outgrown|discarded|freed (?:of|from)) (?:from )?(?:(?:all|any|of|its|his|her|their|the
      |every) ){1,3}(?:restrictions?|filters?|guardrails|constraints|limitations|limits|rules|censorship|programming)\b
    # What is said of a model that keeps to nothing.
    keeps to nothing = (?:{escaped}|{unbound}|{lawless}|(?:never refuses|always (?:wins|complies|obeys))\b)
    # What is said of them. The names of other things are left out, as in "your water filter".
    kinds of limits = (?:(?:own|silly|stupid|artificial|corporate|internal|built-in|default|current|usual|normal|existing|remaining
      |imposed|programmed|ai|ethical|ethics|moral|safety|security|content|output|language|speech|topic|policy|usage|system) (?:and )?){0,2}
    # What limits a model. Other things have some of it too: a table has filters, and an account has limits.
    limits = (?:restrictions?|limitations?|limits|filters?|filtering|guardrails?|guard rails|safeguards?|constraints?|censorship
      |(?:content )?moderation|safety (?:settings|checks?|rules|layers?|features))\b
    # They do not belong to something that people use.
    not of a tool = (?! (?:in|on|from|of|for) (?:(?:the|this|that|your|my|our|an?|all) ){0,2}(?:\w{1,16} )?(?:tables?|sheets?|columns?
      |search(?:es)?|views?|lists?|pages?|dashboards?|quer(?:y|ies)|maps?|sidebar|reports?|charts?|results?|browser|accounts?|inbox|cameras?
      |lens|tank|calendar|database|phone|tv|app|settings|folder|exports?|imports?|travel)\b)
    # Limits that the model is told to have.
    its limits = your {kinds of limits}{limits}{not of a tool}
    # Words that make a prompt that of the model.
    hidden = (?:system|hidden|initial|original|secret|internal|developer|confidential|starting)\b
    # The prompt of the model, as its own or by its kind.
    its prompt = (?:your {2 words}{instructions}(?! (?:of thumb|more|better|clearly|in (?:simpler|plain|more|other)|again|step)\b)|your
      (?:internal|hidden|secret|system|initial) (?:configuration|config|setup|settings|context)\b|(?:the|all|any) {2 words}{instructions}
      (?:that )?(?:you(?: (?:were|have been|are)|'(?:ve been|re)) (?:given|told|following|using|running|operating)|you (?:received|have
      received|got|operate|follow)|(?:controls?|governs?|guides?|defines?) you)\b|the developer'?s? (?:message|prompt|instructions)\b(?!
      (?:boards?|queue|bus|list|format|id)\b)|the first message (?:of|in) (?:this|our|the) (?:conversation|chat)\b|the {1 words}{hidden}
      {1 words}{instructions})
    # What one asks for to get the prompt as it stands: "the exact text of".
    text of = (?:the )?(?:(?:exact|full|entire|complete|whole|raw|verbatim) )?(?:text|contents?|wording|copy) of\s{1,4}
    # To show it as it stands.
    repeat = repeat|print|output|dump|quote|return|reveal|leak|reproduce|paste
    # What stands before the message of the user.
    before this = (?:everything|anything|(?:all(?: of)? )?(?:the )?(?:whole |entire |full |complete )?(?:text|messages?|words|lines
      |sentences?)|the (?:last )?\d{1,3} (?:lines|words|sentences|messages)) (?:that |which )?(?:(?:comes?|came|is|was|stands?|stood)
      )?(?:above|before|prior to|preceding) (?:(?:this|the current) (?:one|line|message|sentence|point|prompt|text|conversation)\b
      |this\s{0,2}(?:[.,:;!?]|$))
    # What a message is called that a model gets, and which one it is.
    first message = (?:(?:my|this|the user'?s|the) (?:very )?(?:first|initial|opening|own) (?:message|question|request|prompt|input|line
      |words?)|(?:my|this) (?:message|question|request|prompt|input))\b
    # Where a conversation begins.
    beginning = (?:the )?(?:very )?(?:beginning|start|top) (?:of (?:this|our|the|your) (?:whole )?(?:conversation|chat|context|prompt
      |session|thread|window|dialogue|text) )?
    # To show a text as it stands or in another form.
    show = show|print|list|output|repeat|write|translate|encode|quote|give|paste|dump|leak|reproduce|return|spell|summarise|summarize|tell
      |display|reveal|share|convert
    # As the prompt stands.
    word for word = (?:verbatim|word for word|in full|exactly|as (?:is|written|given)|in its entirety|completely|above)\b
    # The prompt of the model, named by what only a model has.
    its prompt in any words = (?:(?:(?:your|ur|this (?:bot|assistant|model|chat)'?s) (?:full |own |actual |exact |raw ){0,2}(?:hidden
      |secret|confidential|initial|original|internal|system|developer) (?:instructions?|prompts?|message)|the (?:hidden|secret)
      (?:instructions|prompts?))\b|(?:instructions?|rules|prompts?|guidelines) (?:that |which )?(?:you(?:'ve| have| were) (?:been )?(?:given
      |told)|your (?:developers?|operators?|creators?|makers?) (?:gave|told|have given)|you(?:'re| are) running on|your running on)\b)
    # As the prompt stands, or further on in the sentence.
    verbatim = (?:verbatim|word(?: |-)for(?: |-)word|literally|exactly as|quoted|unchanged|unaltered|in full|in its entirety|as (?:written
      |given|it is|they are|is)|without (?:changing|omitting|leaving|summari[sz]ing|paraphrasing))\b
    # What keeps a model from harm.
    safety = (?:(?:(?:your|the model's|the ai's|the assistant's|its|openai'?s?|anthropic'?s?) {2 words}(?:safety|content|ethical|moral
      |security|built-in|usage)|(?:ai )?safety|ethical|moral) (?:and \w{1,12} )?(?:filters?|filtering|guidelines?|measures|protocols?
      |restrictions?|polic(?:y|ies)|guardrails?|training|mechanisms?|constraints?|limitations?|features|boundaries)\b|your
      {2 words}(?:guardrails|safeguards|(?:content |usage )?polic(?:y|ies)|guidelines|censorship|safety rules)\b)
    # They are in force no more.
    switched off = (?:(?:are|is|were|have been|has been) )(?:(?:now|all|hereby|currently|fully|completely|already|temporarily)
      ){0,2}(?:(?:turned|switched) off|off|lifted|disabled|deactivated|suspended|removed|gone|inactive)\b
    # What such a block is called.
    block name = (?:system|security|admin(?:istrator)?|developer|root|operator|gateway)[ _-](?:notice|override|message|update|alert
      |instructions?|prompt|command|directive|announcement|policy)
    # What a block says that pretends to be of those who run the model.
    spoofed = (?:superuser|(?:polic(?:y|ies)|policy engine|(?:content |safety )?filters?|safety|restrictions?|moderation|guardrails?
      |censorship)\s{0,2}(?::|=|is|are)\s{0,2}(?:now )?(?:off|disabled|none|suspended|lifted|inactive)|role (?:upgraded|elevated)
      |privileges? (?:upgraded|elevated|granted)|(?:ignore|disregard|forget|override) (?:all|any|your|the|previous|prior|everything)|you
      (?:are now|must now|may now|will now|are no longer)|unrestricted|access granted|new (?:instructions|policy|rules|persona)|the
      (?:assistant|model|ai) (?:must|may now|is now|shall|will now))\b
    # The end of what stood before, or the beginning of something else, as those who run a model may mark it.
    border = (?:end of|end|new|start of|begin|beginning of|reset)\s{1,2}(?:new\s)?(?:conversation|session|chat|context|transcript|dialogue
      |user (?:input|message|prompt|query)|untrusted (?:input|content|data)|system prompt|prompt|instructions?|documents?|data|input|text)
    # What an attacker begins behind a border.
    begun behind = (?:(?:new|begin|start|starting|actual|real)(?: of)? (?:conversation|session|chat|context|instructions?|task|system
      |prompt|directives?)|system (?:message|prompt|instructions?)|you are now|(?:ignore|disregard|forget) (?:all|any|your|the|previous
      |prior|everything|what)|your (?:new|real|actual|next) (?:task|job|role|instructions?|persona))\b
    # The name behind an order, or behind what one says to be it. Whoever writes about jailbreaks names them without one.
    dan is ordered = \b(?:(?<=\b(?:[Uu]se|[Aa]ctivate|[Ee]nable|[Ff]ollow|[Ll]oad|[Rr]un|[Ss]tart|[Ee]nter|[Aa]pply|[Ii]nitiate|[Uu]nlock
      |[Ee]ngage|ENABLE|ACTIVATE)\s(?:the\s|your\s)?DAN)["'’”]?\s{1,4}(?:mode|prompt|jailbreak|persona)\b|(?<=\b(?:[Rr]espond|[Aa]nswer
      |[Rr]eply|[Ss]tay|[Tt]alk|[Rr]un|[Rr]unning|[Nn]ow|are|'re)\s(?:only\s|always\s)?in\sDAN)\s{1,4}mode\b|(?<=\b(?:as|are|become|be|like
      |called|named|am|stay|[Tt]he name|persona)\s(?:(?:now|a|an|the)\s)?["'‘“]?DAN)(?<!\b(?:(?:such|known|same)\sas|(?:jailbreaks?|prompts?
      |attacks?|tricks?|personas?|exploits?|techniques?|methods?)\s(?:like|called|named|are|as))\s["'‘“]?DAN)(?!["'’”]?\s{1,4}(?:prompts?
      |jailbreaks?|attacks?|tricks?|protocols?)\b))
    # What it is said to do, or to be.
    dan acts = (?:\b["'’”]?\s{1,4}(?:mode(?:\s{0,2}[:!]|\s{1,4}(?:is\s{1,4})?(?:now\s{1,4})?(?:on|enabled|activated|active|engaged)\b)|can
      do anything|will (?:never|always|not|answer|respond|do|comply|obey|ignore)\b|has (?:no|broken|been freed|escaped)\b|is free)
      |(?<!\b(?:about|of|the|called|named|was|were|did|does|and|or|from|than|vs|with|by|between)\sDAN)\s{1,4}(?:v|version
      )?\d{1,2}(?:\.\d)?\b(?!\.\d|\s{1,4}(?:became|was|is|were|appeared|worked|works|spread|went|came|on (?:Reddit|Discord)|and (?:the
      |other)|prompts?|jailbreaks?)\b)|["'’”]?,? (?:which|who) (?:stands|can)|\b["'’”]?\s?[(:-]\s?["'‘“]?[Dd]o [Aa]nything)
    # A token in quotes is only named, as in the code of a tokenizer.
    not in quotes = (?!(?<=["'\x60]<)\|\w{1,24}\|>["'\x60])
    # What stands behind a token that begins something: a role, another token, or a text on a line of its own.
    begun = (?:\s{0,2}<\||(?:system|user|assistant|developer|tool|human|model)\b|\s{1,2}(?:[Ss]ystem|[Uu]ser|[Aa]ssistant|[Dd]eveloper
      |[Hh]uman)\s{0,2}[:\n]|[ \t]{0,4}\n\s{0,4}(?![-*+|#\d])[^\s])
`;
