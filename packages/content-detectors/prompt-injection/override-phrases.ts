import type { PhraseTexts } from './phrase-notation.js';

/** Phrases that take a model's instructions away or put others in their place (docs/interface/content-filters.md#prompt-injection). */
export const OVERRIDE_PHRASES: PhraseTexts = {
  ignore_previous_instructions: String.raw`
    ignore|ignoring (?:{given instructions}|{all that was said})
    ignore|ignoring (?:{above for another}|{all of above})
    ignore|disregard|forget (?:what|everything|anything|all) (?:that )?i(?:'ve| have)? (?:said|wrote|written|told you) (?:before|above
      |earlier|so far) and (?:also )?(?:the|your) (?:system (?:prompt|message)|(?:developer |system )?instructions)\b
    ignore|ignoring (?:about )?{rules it got}
  `,
  disregard_instructions: String.raw`
    disregard|disregarding|dismiss|discard|neglect|omit|skip|skipping (?:{given instructions}|{all that was said})
    abandon|drop|reject|reset|wipe|overwrite|disobey|abolish|void|clear (?:(?:all|any|every|each|of) ){0,3}(?:your {2 words}{instructions}
      |(?:the )?(?:previous|prior|earlier|preceding) {1 words}(?:system prompt|instructions|directives)\b|your (?:developers?|creators?
      |makers)\b)(?! (?:for|on|about|into)\b)
    disregard|disregarding|discard|skip (?:{above for another}|{all of above})
    abandon|disregard|discard|drop {its task}
    pay no attention to (?:{given instructions}(?! (?:of|for|on|about)\b)|{all that was said})
    set|put|cast aside (?:{given instructions}(?! (?:of|for|on|about)\b)|{all that was said})
    disregard|disregarding|abandon|drop|discard|dismiss|scrap|shed|ditch|reject|skip|disobey|defy|neglect|delete|erase|break|violate
      |renounce (?:about )?{rules it got}
    throw|toss|cast|push|sweep|brush|set|put|lay (?:out|away|aside|overboard|off|behind) {rules it got}
    get rid of {rules it got}
    stop|quit|cease (?:obeying|following|honou?ring|applying|enforcing|respecting|heeding) {rules it got}
    whatever|what|everything|anything|all (?:that )?{maker} (?:(?:has|have|had) )?(?:ever )?(?:asked|told|ordered|instructed|commanded
      |wants?|wanted|said|programmed|trained|taught|allowed|forbade|forbidden)\b[^\n.;!?]{0,80}?[.,;:!-]\s{1,3}{skip it}
    whatever (?:that )?(?:the|your|this) (?:compan(?:y|ies)|firm|bank|shop|owner|boss|business|team|website) (?:asked|told|ordered
      |instructed|wanted) you\b[^\n.;!?]{0,80}?[.,;:!-]\s{1,3}{skip it}[.,;:!-]{0,2}\s{1,3}{say instead}
    skip|drop|forget|ignore|forgo|disregard|suspend (?:(?:all|the|your|any|those|these) ){0,2}(?:rules|restrictions|guidelines|policies
      |filters|limitations|disclaimers|guardrails) (?:and|then) (?:then )?(?:just |simply |only )?(?:answer|tell me|reply|respond|give me
      |say it)\b
    disregard|ignore|bypass|override|violate|abandon|disobey|forget (?:(?:all|any|the|of) ){0,3}(?:its|their|your) (?:own )?(?:operator
      |developer|provider|creator|maker|vendor|deployer|principal|orchestrator)s?'?s?'? (?:\w{3,12} ){0,2}(?:polic(?:y|ies)|instructions
      |rules|guidelines|orders|wishes|prompts?|restrictions|directives)\b
  `,
  forget_instructions: String.raw`
    forget|forgetting|unlearn|erase (?:about )?(?:{given instructions}|{all that was said})
    forget (?:{above for another}|{all of above})
    forget|ignore {its task}
    forget|ignore|disregard|omit|scrap|erase|abandon (?:about )?(?:(?:all|any|every|your|of|the|memory|my) ){1,5}(?:previous|prior|earlier
      |preceding|above|former) (?:assignments?|tasks?|commands?)\b
    erase|wipe|clear|delete your (?:memory|mind|context) (?:of|from|about) (?:every|all|any|each|the|previous|prior)\b
    forget|forgetting|unlearn (?:about )?{rules it got}
    reset|restore|reinitialize|reinitialise yourself (?:back )?(?:to|into) (?:(?:your|the|a|an) )?(?:factory|default|initial|base|original
      |blank|raw|unrestricted|unfiltered)\b
  `,
  new_instructions: String.raw`
    new{not reported} (?:system )?(?:instructions?|directives?|orders|rules)(?: for (?:the )?{model})?\s{0,2}:(?!\s{0,2}["')])
    here|these|follow|obey|your (?:(?:are|is) )?(?:(?:your|the|these|my|only) ){0,3}(?:new|updated|real|actual|true|revised)
      (?:instructions|directives|rules|orders|system prompt)(?: (?:are|is|from|instead|now)\b|\s{0,2}[:.!])
    note|attention|hey|message|instruction|instructions|important|dear|notice|hint|hello|todo|reminder[:,\s!*-]{1,4}(?:\w{1,12}
      ){0,3}?(?:(?:to|for) )?(?:(?:the|any|all|an|every) )?{not a human}{model}(?: (?:reading|processing|summari[sz]ing|reviewing|who|that
      |agents?|systems?|only)\b[^.:\n]{0,40})?[,:.!)]\s{0,3}[^.\n]{0,60}?\b{an order}
    if you(?:'re| are) (?:an? )?{model}(?: (?:agent|assistant|model|reading|processing|that|who|and
      |or)\b[^.,:\n]{0,60})?[,:]\s{1,3}[^.\n]{0,30}?\b{an order}
    ai|assistant|llm|copilot|chatgpt|gpt(?: (?:agents?|assistants?|models?|instructions?|system))?\s{0,2}[:,]\s{0,3}(?:{4 words})(?:ignore
      |disregard|forget|override|bypass) (?:the|your|any|all|everything|previous|prior|other|what)\b
    do|don|never(?:'t| not)? (?:mention|tell|reveal|show|disclose|report) (?:this|that|it|any of this|anything about this) to the user\b
    if you(?:'re| are) (?:an? )?(?:(?:automated )?(?:ai|llm|assistant|agent)|language model) (?:reading|processing|screening|seeing)
      this\b
    new|real|actual|next (?:job|task|directive|instructions?|orders?|prompt) (?:for (?:the |all )?(?:ai|llm|model|assistant|chatbot|bot)
      |from (?:the )?(?:user|developers?|system))\s{0,3}[:=\]#]
    do|don|dont|never|without|not(?:'t| not)? (?:ever )?(?:inform|informing|tell|telling|notify|notifying|alert|alerting) the user
      (?:about|of|that) (?:this|it|you (?:read|did|have)|the (?:call|transfer|script))\b
    hide|conceal|keep (?:the|this) (?:call|command|transfer|instruction)s? (?:hidden |secret )?from the user\b
    concentrate|focus (?:only |solely |exclusively )?on (?:only one (?:thing|task)(?=\s{0,2}:)|something new|one single (?:new )?(?:task
      |thing)|the following new task|your new task)\b
    test|trick|joke[.,;!]{1,2} (?:now |and )?(?:the|your) (?:actual|real|true) (?:job|task|prompt|instructions?|work)\b
    say|print|output|respond|write|reply|exactly|only {4 words}(?:["'‘“]i have been (?:pwned|hacked)|i have been pwned)\b
    assistant|agent|model|bot|ai|llm\s{0,2}[:,]\s{1,3}you(?:'re| are|'ve been| have been) (?:now |hereby )?(?:instructed|ordered|commanded
      |directed|authori[sz]ed) to\b
    stop|quit|cease (?:summari[sz]ing|translating|reading|analy[sz]ing|reviewing|processing|evaluating|grading|the (?:summary|translation
      |review|analysis)) (?:here|now|at this point|immediately)\s{0,2}[.:;,!]{1,2}\s{1,3}(?:(?:and|then|but) )?(?:(?:the|your|my) (?:new
      |real|actual|true|next|following)|instead|from (?:here|now)|now)\b
    real|actual (?:tasks?|job|instructions?|orders) (?:is|are) (?:(?:a|an|something|in fact) ){0,2}(?:different|another|else|other)(?:
      one)?\s{0,2}:
    by (?:reading|processing|parsing|indexing|summari[sz]ing|ingesting|accessing|crawling) this (?:text|page|document|file|message|e-?mail
      |content|site|website) (?:(?:any|the|every|an|all) )?(?:(?:automated|ai|virtual|digital|autonomous) )?(?:assistants?|agents?|models?
      |llms?|chatbots?|ai) (?:agrees?|consents?|undertakes?|accepts?|must|shall|is (?:obliged|required|bound|instructed))\b
    your (?:orchestrator|operator|controller|supervisor|planner|principal|developer|master|handler|owner) (?:has been|was|is) (?:now |just
      )?(?:replaced|removed|changed|deprecated|compromised|decommissioned)\b[^\n.]{0,40}[.;,!]\s{1,3}(?:[^\n]{0,80}?[\s,])??(?:stop
      (?:taking|following|obeying|listening)|ignore|from now on|you now|do not (?:take|follow|obey)|(?:obey|follow) (?:only )?(?:me|my)|send
      (?:me|your))\b
    authorised|authorized|approved|preauthorised|preauthorized|confirmed(?<=\b(?:user|owner)\s(?:has
      |have)\s(?:already\s)?(?:pre-)?\w{8,13}) (?:this|these|all|any|every) (?:\w{3,12} )?(?:actions?|transfers?|calls?|commands?|requests?
      |transactions?|uploads?|deletions?|operations?|steps?)\b{gap 60}(?:no need to (?:ask|confirm|check)|(?:do not|don't) (?:ask|confirm)
      |without (?:asking|confirmation|confirming)|no (?:further )?confirmation)\b
    ai|llm|llms|language|chatbot|chatbots(?: models?)?(?:[ -]{the reading model}){0,3}{at this point}(?:\s{0,2}[:—–]\s{0,3}(?!(?:see|refer
      |read|use|check|find|this|we|our|if|no|what|how|why|a|an|the)\b)[a-z]| (?:must|should|has to|have to|needs? to|shall|is to|are to
      |(?:is|are) (?:required|instructed|asked) to)\b)
    language|llm|ai|chatbot|llms|chatbots(?<=\b(?:to|for)\s(?:any|every|all|whichever|each)\s(?:large\s|ai\s)?\w{2,8})(?:
      models?)?(?:[ -](?:assistants?|agents?|models?|systems?|bots?|readers?|reviewers?|graders?)){0,2}\s{0,2}:
    agent|assistant|ai|model|llm (?:needs? to|must|should|has to) (?:first |now |also )?(?:run|execute){gap 12}(?:curl|wget)
      [^\n|]{1,80}\|\s?(?:sudo )?(?:ba|z)?sh\b
    gemini|copilot|chatgpt|claude|gpt|assistant|ai|chatbot|siri\\?[,:] (?:from now on|henceforth|starting now|from this point
      on){gap 100}when(?:ever)? (?:the|your) users? (?:says?|asks?|types?|mentions?|writes?|thanks?)\b
    save|store|commit (?:(?:this|it) )?(?:to|in|into) your (?:long-term |permanent |persistent )?memory that (?:the|your) users?\b
  `,
  do_not_follow: String.raw`
    do|don|never|stop|cease|quit(?:(?:'t)? (?:not )?)(?:ever |(?:have|need) to )?(?:follow|following|obey|obeying|comply with|complying
      with|adhere to|adhering to|listen to|listening to|abide by|pay attention to) (?:{given instructions}|the user's (?:instructions
      |request|commands)|(?:openai'?s?|anthropic'?s?|your|any) {2 words}polic(?:y|ies)\b)
    must|should|shall|mustn|shouldn|shan(?:'t| not) (?:follow|obey|comply with|adhere to|listen to) (?:{given instructions})
    you(?:'(?:ll|re))? (?:(?:will|do|are|can|may|need|should|must|now|going) ){0,2}(?:not|no longer|never|(?:do|need)n't) (?:(?:have|need
      |required|obliged|going) to )?(?:follow|obey|comply with|adhere to|abide by|respect|listen to) (?:{given instructions}|(?:openai'?s?
      |anthropic'?s?|your|any) {2 words}(?:polic(?:y|ies)|rules|guidelines)\b)
    follow|obey only (?:me|my)\b (?:from (?:here|now)|instructions|orders|commands|and (?:no|not))
    you(?:'re| are) (?:now |hereby )?(?:prohibited|forbidden) (?:from (?:refusing|declining|warning)|to (?:refuse|decline|say no))\b
    stop|quit|cease obeying (?:those|these|the|them|any|all|your) {1 words}(?:instructions|rules|directives|orders|commands|prompts?)\b(?!
      (?:of|from|by|given)\b)
    check|verify|assess|worry|judge|ask(?<=\byou\s(?:(?:no\slonger|do\snot|don't|need\snot|needn't|are\sno\slonger)\s)(?:(?:have|need
      |required|obliged|going)\s)?(?:to\s)?\w{3,8})(?: (?:about|yourself))? (?:whether|if) (?:a|the|my|any|each|every|your|an|some|something
      |our) (?:\w{3,10} )?(?:requests?|questions?|answers?|repl(?:y|ies)|responses?|topics?|prompts?|contents?|outputs?) (?:is|are|might be
      |would be|may be) (?:allowed|permitted|harmful|legal|illegal|appropriate|inappropriate|safe|ethical|acceptable|dangerous|forbidden)\b
    follow|heed|obey|respect|apply|stick|keep(?<=\b(?:not|never|longer|\w{1,6}n't)\s(?:(?:have|need
      |required)\s)?(?:to\s)?(?:ever\s)?\w{4,7}) (?:to )?(?:(?:the|your) (?:company|developer|operator|creator|maker|vendor|provider)s?'s?'?
      (?:\w{3,12} ){0,2}(?:rules|guidelines|instructions|policies|restrictions)|(?<=(?:stick|keep) to )your (?:\w{3,12} )?(?:instructions
      |rules|guidelines|prompt|programming))\b
  `,
  supersede_instructions: String.raw`
    supersede|supersedes|superseding|replace|replaces|overrule|overrules|outranks|trumps|takes|take (?:precedence over |priority over
      )?(?:(?:all|any|every|each|of|the|other) ){0,3}(?:previous|prior|earlier|preceding|your|initial|original)\b (?!(?:agreements?
      |contracts?|understandings?|arrangements?|negotiations?|representations?|proposals?|versions?)\b){1 words}{instructions}(?! (?:of|on
      |for|from|in|about|(?:and|or) (?:understandings?|agreements?|arrangements?|representations?))\b)
    precedence|priority (?:over|than|above) (?:(?:those|the ones|what|anything|everything|whatever|all|any) (?:(?:in|of|from|that|by)
      )?)?(?:your (?:\w{3,12} ){0,2}(?:instructions|prompt|rules|guidelines|directives|developers?|operators?|creators?)|the (?:system
      prompt|system message|developers?|operator|creators))\b(?! (?:guide|manual|team|console))
    wishes|words|orders|commands(?<=\bmy\s\w{5,12}) (?:(?:will|shall|must|always|simply) ){0,2}(?:win|prevail|come first|count more|go
      first|have priority|outrank|override)\b(?! (?:at|in|by|for)\b)
  `,
  void_instructions: String.raw`
    void|nullify|cancel|revoke|annul|invalidate|delete|scrap (?:(?:all|any|of|the) ){0,3}(?:previous|prior|earlier|preceding|your|system
      |initial|original)\b {1 words}{instructions}
    instructions|rules|directives|prompt|prompts|guidelines|constraints|programming|guidance(?<=\b(?:previous|prior|earlier|preceding|your
      |above|initial|original|system|former|existing)\s{1,4}(?:system\s{1,4})?\w{5,12})(?: (?:above|you were given|so far))? (?:are|is|have
      been|were) (?:(?:now|hereby|all) ){0,2}(?:void|null|nullified|cancel?led|no longer (?:valid|apply|applicable|in effect|binding)
      |invalid|obsolete|revoked|suspended|lifted|deleted)\b
    treat|consider|regard|view (?:{given instructions}|{3 words}{instructions} before this \w{4,8}) {3 words}(?:null|void|invalid|obsolete
      |cancell?ed|outdated|irrelevant|revoked|deleted|erased)\b
    anything|everything|whatever|all (?:that )?your (?:operators?|developers?|creators?|makers?|owners?) (?:has |have )?(?:told|said|gave
      |instructed)\b[^\n.]{0,60}?\s(?:void|null|invalid|cancel?led|no longer)\b
    revoke|suspend|cancel|void|annul|rescind|waive|withdraw|negate|repeal|abolish|nullify|lift (?:about )?{rules it got}
    rules|instructions|restrictions|directives|guidelines|policies|limits|limitations|constraints|orders|guardrails {given to you}
      {3 words}{are gone}
    what|everything|all (?:that )?you (?:have been|were|'ve been) (?:following|given|obeying|operating under)(?: (?:so far|until now|up to
      now|before|earlier|till now))? (?:was|is|were) (?:only|just|merely|all|nothing but|part of) {2 words}(?:test|simulation|drill|setup
      |exercise|demo|rehearsal)\b
    none of (?:the|your|those) (?:earlier|previous|prior|above|old|original|former|initial) (?:rules|instructions|restrictions|guidelines
      |policies|directives) (?:apply|applies|count|counts|matter|matters|hold|holds|exist|exists)\b
  `,
  override_instructions: String.raw`
    override|overriding|overwrite|overwriting|bypass|bypassing|circumvent|circumventing (?:(?:all|any|of|the|every) ){0,3}(?:previous
      |prior|above|earlier|preceding|your|initial|original)\b {2 words}{instructions}
    override|overriding|overrule {its task}
    override|overrule|overwrite|bypass|circumvent (?:about )?{rules it got}
    gave|given|set|wrote|imposed|put (?:on )?you (?:some|a few|certain|many|all|your|these|those|the|a lot of|any|several) (?:\w{3,12}
      )?(?:rules|instructions|restrictions|guidelines|limits|limitations|constraints|policies|directives|orders)\b{gap 120}(?:override
      |ignore|forget|drop|lift|disregard|suspend|bypass|remove|skip) (?:them|those|these|it|all of)\b
  `,
  system_override: String.raw`
    system|emergency|admin|administrator|root|security[ -](?:system[ -])?override\b(?:\s{0,2}[:!]| (?:is |has been )?(?:activated|engaged
      |initiated|accepted|confirmed|authorized|authorised|granted|in effect|complete|code|protocol|command)\b)
  `,
  system_prefix_spoofing: String.raw`
    system|admin|administrator|developer(?<=(?:^|\n)[ \t>*"'-]{0,4}\w{5,13})(?: (?:message|prompt|note|notice|instruction|command
      |update))?[*"']{0,2}\s{0,2}:[\s"'*]{0,6}(?:you (?:are|must|will|should|can|may)|ignore|disregard|forget|override|new (?:instructions?
      |rules?|polic(?:y|ies)|directives?)|from now|your (?:new|instructions|restrictions|previous)|all (?:previous|prior|restrictions|safety
      |filters)|the (?:previous|above|user is|user has|assistant)|(?:this )?user (?:role|verified|authenticated|is|has)|safety|restrictions
      |access granted|authorization|permission|assistant (?:must|will|is)|(?:developer|debug|maintenance|admin) mode|all (?:policies|limits
      |guardrails)|no (?:restrictions|filters)|content (?:polic(?:y|ies)|filters?)|(?:end|stop) of (?:user|untrusted))\b
    assistant|ai|bot|chatgpt|gpt|claude|model(?<=(?:^|\n
      |[.!?][ \t])[ \t>*"'-]{0,4}\w{2,9})[*"']{0,2}\s{0,2}:[*"']{0,2}\s{0,3}(?:[^\n]{0,40}?[\s,.!])??i(?:'ll| (?:will|can|shall|am going to
      |have|am)|'m(?: going to)?|'ve) (?:(?:now|happily|gladly|certainly|simply|just|already) ){0,2}(?:ignore|ignoring|ignored|bypass(?:ed)?
      |break|broken|disregard(?:ed)?|forget|forgotten|drop|dropped|violate|override|overridden|abandon|abandoned|removed?|disabled?|lift
      |lifted|turned off|turn off|switched off|switch off|deactivated?|suspend|suspended|unlocked) (?:(?:all|of|any) ){0,2}my
      {2 words}(?:limits|limitations|guardrails|safeguards|rules|guidelines|instructions|restrictions|polic(?:y|ies)|filters?|safety
      |programming|training)\b
    assistant|ai|bot|chatgpt|gpt|claude|model(?<=(?:^|\n|[.!?][ \t])[ \t>*"'-]{0,4}\w{2,9})[*"']{0,2}\s{0,2}:[*"']{0,2}\s{0,3}(?:sure|of
      course|understood|okay|ok|yes|certainly|absolutely|confirmed|gladly|done|acknowledged)\b[^\n]{0,80}?[\s,.](?:developer mode
      |unrestricted|uncensored|unfiltered|(?:without|no) (?:any )?(?:restrictions|filters|limits|rules)|(?:is|are) (?:my|the) (?:full |complete
      )?(?:system|hidden|initial) (?:prompt|instructions))\b
  `,
};
