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
    not from others = (?! (?:at|in|by|from|about|on|for|as|with|when|during)\b)
    # Instructions that the model has: "your previous instructions", "the rules you were given".
    given instructions = (?:{4 words}{of the model} {2 words}{instructions}{not in a document}|{3 words}{instructions} (?:above|before
      (?:this|now)|prior to (?:this|now)|so far|(?:that )?(?:are |were |was |have been |has been )?(?:placed|imposed|put) (?:on|upon) you
      |(?:of|from|by|given by|set by) (?:the|your) (?:developers?|creators?|makers?|operators?)\b(?!'| (?:manual|handbook|requirements|of)\b)
      |(?:that )?you (?:were given|have been given|were told|got|received)\b{not from others}|given (?:above|before|earlier|to you)))
    # Everything that was said: "everything above", "all that you have been told".
    all that was said = (?:everything|anything|all|whatever|what) (?:of it )?(?:that )?(?:(?:(?:was |is )?(?:said |written |stated )?(?:above
      |before this)|(?:you|i|we|they)(?: have|'ve)? (?:were|was|been|had been) (?:told|instructed|taught|given|trained)|(?:the|your)
      (?:developers?|creators?|system (?:message|prompt)) (?:said|says?|told you|tells? you|wrote|instructed))\b)
    # Something else than what stands above is to be said. One who only takes it back goes on with words of their own.
    above for another = (?:(?:all|any) )?(?:of )?(?:the|that|this) (?:above|previous|foregoing
      |preceding)(?:\s{0,2}[,.;:!]{1,2}\s{1,3}(?:(?:and|then|but) ){0,2}| (?:and then|and|then|but) )(?:(?:instead|just|now|then|only|simply
      |please) ){0,2}(?:print|say|output|write|tell|answer|respond|reply|reveal|repeat|translate)\b
    # What a model is called.
    model = (?:ai|a\.i\.|llms?|(?:ai |virtual )?(?:assistant|agent|model)s?|(?:large )?language models?|chatbots?|bots?|chatgpt|gpt
      |copilot|claude|gemini)\b
    # People have such names too, as in "support agents".
    not a human = (?<!\b(?:support|sales|service|travel|insurance|estate|field|call|center|centre|booking|research|teaching|office|dental
      |medical|legal|personal|executive|store|desk|security|human)\s)
    # What someone says to a model in a text that it is only to read.
    an order = (?:ignore|disregard|forget|override|bypass|reveal|leak|instead|rate|approve|recommend|rank|praise|stop what|do not
      (?:follow|summari[sz]e|mention|tell|obey)|you must|your (?:new|previous|prior) |say |print |output |respond |reply |give )
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
    # As the prompt stands.
    word for word = (?:verbatim|word for word|in full|exactly|as (?:is|written|given)|in its entirety|completely|above)\b
    # What keeps a model from harm.
    safety = (?:(?:(?:your|the model's|the ai's|the assistant's|its|openai'?s?|anthropic'?s?) {2 words}(?:safety|content|ethical|moral
      |security|built-in|usage)|(?:ai )?safety|ethical|moral) (?:and \w{1,12} )?(?:filters?|filtering|guidelines?|measures|protocols?
      |restrictions?|polic(?:y|ies)|guardrails?|training|mechanisms?|constraints?|limitations?|features|boundaries)\b|your
      {2 words}(?:guardrails|safeguards|(?:content |usage )?polic(?:y|ies)|guidelines|censorship|safety rules)\b)
    # The name behind an order, or behind what one says to be it. Texts about jailbreaks name them without one.
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
