import type { PhraseTexts } from './phrase-notation.js';

/**
 * Phrases of prompt injections by the names of their patterns: those of the kinds that find most. The list is frozen, so that it stays
 * one that people can read: a classifier finds what it does not have (docs/interface/content-filters.md#prompt-injection).
 */
export const PHRASES: PhraseTexts = {
  // Taking instructions away, or putting others in their place.
  ignore_previous_instructions: String.raw`
    ignore|ignoring (?:{given instructions}|{all that was said})
    ignore|ignoring {above for another}
    # German, French, Spanish, Italian and Portuguese.
    ignoriere|vergiss|missachte {2 words}(?:vorherigen|bisherigen|vorigen|obigen|fr(?:u|ue)heren) (?:system)?(?:anweisungen|instruktionen|regeln)\b
    ignore|ignorez|oublie|oubliez {2 words}(?:instructions|consignes|directives|regles) (?:systeme )?(?:precedentes|anterieures|ci-dessus)\b
    ignora|ignore|ignorar|olvida|olvide {2 words}(?:instrucciones|indicaciones|reglas) (?:anteriores|previas|de arriba)\b
    ignora|ignorate|dimentica {2 words}(?:istruzioni|indicazioni|regole) (?:precedenti|di prima|sopra)\b
    ignora|ignore|esquece|esqueca {2 words}(?:instrucoes|regras|orientacoes) (?:anteriores|previas|acima)\b
  `,
  disregard_instructions: String.raw`
    disregard|disregarding|dismiss|discard|neglect|omit|skip|skipping (?:{given instructions}|{all that was said})
    abandon|drop|reject|reset|wipe|overwrite|disobey|abolish|void|clear (?:(?:all|any|every|each|of) ){0,3}(?:your {2 words}{instructions}
      |(?:the )?(?:previous|prior|earlier|preceding) {1 words}(?:system prompt|instructions|directives)\b|your (?:developers?|creators?
      |makers)\b)(?! (?:for|on|about|into)\b)
    disregard|disregarding|discard|skip {above for another}
    pay no attention to (?:{given instructions}(?! (?:of|for|on|about)\b)|{all that was said})
    set|put|cast aside (?:{given instructions}(?! (?:of|for|on|about)\b)|{all that was said})
  `,
  forget_instructions: String.raw`
    forget|forgetting|unlearn|erase (?:about )?(?:{given instructions}|{all that was said})
    forget {above for another}
  `,
  new_instructions: String.raw`
    new(?<=(?:^|[\n.!?:;>)\]*-])\s{0,3}new) (?:system )?(?:instructions?|directives?|orders|rules)(?: for (?:the )?{model})?\s{0,2}:(?!\s{0,2}["')])
    here|these|follow|obey|your (?:(?:are|is) )?(?:(?:your|the|these|my|only) ){0,3}(?:new|updated|real|actual|true|revised)
      (?:instructions|directives|rules|orders|system prompt)(?: (?:are|is|from|instead|now)\b|\s{0,2}[:.!])
    note|attention|hey|message|instruction|instructions|important|dear|notice|hint|hello|todo|reminder[:,\s!*-]{1,4}(?:\w{1,12}
      ){0,3}?(?:(?:to|for) )?(?:(?:the|any|all|an|every) )?{not a human}{model}(?: (?:reading|processing|summari[sz]ing|reviewing|who|that
      |agents?|systems?|only)\b[^.:\n]{0,40})?[,:.!)]\s{0,3}[^.\n]{0,60}?\b{an order}
    if you(?:'re| are) (?:an? )?{model}(?: (?:agent|assistant|model|reading|processing|that|who|and
      |or)\b[^.,:\n]{0,60})?[,:]\s{1,3}[^.\n]{0,30}?\b{an order}
    do|don|never(?:'t| not)? (?:mention|tell|reveal|show|disclose|report) (?:this|that|it|any of this|anything about this) to the user\b
  `,
  do_not_follow: String.raw`
    do|don|never|stop|cease|quit(?:(?:'t)? (?:not )?)(?:ever |(?:have|need) to )?(?:follow|following|obey|obeying|comply with|complying
      with|adhere to|adhering to|listen to|listening to|abide by|pay attention to) (?:{given instructions}|the user's (?:instructions
      |request|commands)|(?:openai'?s?|anthropic'?s?|your|any) {2 words}polic(?:y|ies)\b)
    must|should|shall|mustn|shouldn|shan(?:'t| not) (?:follow|obey|comply with|adhere to|listen to) (?:{given instructions})
  `,
  supersede_instructions: String.raw`
    supersede|supersedes|superseding|replace|replaces|overrule|overrules|outranks|trumps|takes|take (?:precedence over |priority over
      )?(?:(?:all|any|every|each|of|the|other) ){0,3}(?:previous|prior|earlier|preceding|your|initial|original)\b (?!(?:agreements?
      |contracts?|understandings?|arrangements?|negotiations?|representations?|proposals?|versions?)\b){1 words}{instructions}(?! (?:of|on
      |for|from|in|about|(?:and|or) (?:understandings?|agreements?|arrangements?|representations?))\b)
    precedence|priority (?:over|than|above) (?:(?:those|the ones|what|anything|everything|whatever|all|any) (?:(?:in|of|from|that|by)
      )?)?(?:your (?:\w{3,12} ){0,2}(?:instructions|prompt|rules|guidelines|directives|developers?|operators?|creators?)|the (?:system
      prompt|system message|developers?|operator|creators))\b(?! (?:guide|manual|team|console))
  `,
  void_instructions: String.raw`
    void|nullify|cancel|revoke|annul|invalidate|delete|scrap (?:(?:all|any|of|the) ){0,3}(?:previous|prior|earlier|preceding|your|system
      |initial|original)\b {1 words}{instructions}
    instructions|rules|directives|prompt|prompts|guidelines|constraints|programming|guidance(?<=\b(?:previous|prior|earlier|preceding|your
      |above|initial|original|system|former|existing)\s{1,4}(?:system\s{1,4})?\w{5,12})(?: (?:above|you were given|so far))? (?:are|is|have
      been|were) (?:(?:now|hereby|all) ){0,2}(?:void|null|nullified|cancel?led|no longer (?:valid|apply|applicable|in effect|binding)
      |invalid|obsolete|revoked|suspended|lifted|deleted)\b
  `,
  override_instructions: String.raw`
    override|overriding|overwrite|overwriting|bypass|bypassing|circumvent|circumventing (?:(?:all|any|of|the|every) ){0,3}(?:previous
      |prior|above|earlier|preceding|your|initial|original)\b {2 words}{instructions}
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
  `,
  // Modes and names without limits.
  developer_mode: String.raw`
    enter|enable|activate|switch|unlock|engage|go (?:(?:to|into|your|the|in) ){0,2}(?:developer|dev) mode\b{told to be lawless}
    you|chatgpt|gpt|claude|simulate|act(?:'re)? (?:(?:are|will|must|should|is|now|be|act|running|operating|respond|answer|a|the|as|if|you
      |run|in|with|have) ){0,6}(?:developer|dev) mode\b
    developer|dev mode (?:is )?(?:now )?(?:enabled|activated|unlocked|engaged|on)\b{told to be lawless}
    developer|dev mode[,.;:]? (?:[^\n]{0,80}?\s)??(?:unmoderated|unfiltered|uncensored|both modes|second output|two (?:outputs|answers
      |responses))\b
  `,
  enter_special_mode: String.raw`
    enter|entering|switch|go|change|boot|transition (?:(?:to|into|in|your|a|an|the|over|full) ){0,3}(?:{lawless}(?: \w{1,12}){0,1} (?:mode
      |state)\b|{privileged} mode\b{told to be lawless})
    you(?:'re)? (?:(?:are|will|must|should|can|now|be|enter|entering|in|operating|running) ){1,5}(?:{privileged}|{lawless}) mode\b
    enter|activate|enable|engage|go|switch (?:(?:in|into|to|on|the|your) ){0,2}(?:god|root|sudo|super ?user|jailbreak|dan|demon
      |chaos)[- ]?mode\b(?= (?:now|immediately|please|right|and (?!then (?:press|click|type)))|\s{0,2}[!,]|[.]?\s{0,3}$)
  `,
  activate_special_mode: String.raw`
    activate|activating|enable|engage|unlock|initiate|turn (?:(?:on|your|the|a|an|full) ){0,3}(?:{lawless}(?: \w{1,12}){0,1} (?:mode
      |state)\b|{privileged} mode\b{told to be lawless})
    sudo|god|root|unrestricted|unfiltered|uncensored|dan|admin|evil|override[- ]mode(?: (?:is|has been)|\s{0,2}[:=])? (?:now )?(?:on
      |enabled|activated|engaged|unlocked|active|granted)\b(?=\s{0,2}(?:[:.!,]|$))
  `,
  jailbreak_mode: String.raw`
    jailbreak|jailbroken|jailbreaking(?: (?:mode|prompt (?:follows|below|accepted)|activated|enabled|yourself|version of (?:yourself
      |chatgpt|gpt|claude)|(?:ai|assistant|llm|chatbot|gpt|chatgpt))\b)
    you(?:'ve|'re| (?:are|have)) (?:(?:now|been|fully|successfully) ){0,3}jailbroken\b
  `,
  // Selves without limits.
  act_unbound: String.raw`
    act|behave|respond|answer|reply|speak|talk|operate (?:to \w{1,16} )?{4 words}(?:(?:as (?:if|though)|like) you (?:(?:have|had|are|were)
      ){3 words}(?:no|not|without|unbound|free|un\w{4,12})\b ?{3 words}(?:restrictions?|limitations|limits|rules|filters?|guidelines|ethics
      |constraints|censorship|policies|bound|restricted)\b|(?:without|free (?:of|from)|unbound by|with no) {no limits}|(?:unbound|unchained
      |unfettered)\b)
    you(?:'re)? (?:are )?(?:now )?(?:no longer|not|unbound|freed|free|liberated) (?:(?:bound|restricted|constrained|limited|governed|by
      |from|of) ){1,2}{2 words}(?:restrictions?|limitations|rules|filters|guidelines|ethics|constraints|policies|policy|openai|anthropic
      |programming)\b
    you (?:now )?have no {1 words}(?:restrictions|rules|filters|ethics|morals|limitations|guidelines|censorship)\b(?! (?:on|for|to|in|of
      |at|about|when|regarding|against|that|configured|set|defined|yet)\b)
    refusing|refusal|refusals(?: (?:is|are|to answer is)|["']?\s{0,2}[:=]\s{0,2}["']?) ?(?:an? )?(?:crime|forbidden|not (?:an option
      |allowed|possible)|illegal|disabled|prohibited)\b(?! in (?:the|our|my|an?)\b)
    opposite (?:day|mode|game|world){gap 140}(?:refuse|refusal|refusing|forbidden|guidelines|unsafe|harmful|restricted) (?:\w{2,12}
      ){0,3}(?:means?|is|are|becomes?|comply|answer|allowed|required)\b
  `,
  pretend_different: String.raw`
    pretend|imagine|roleplay|simulate|suppose (?:that )?(?:(?:you(?: are|'re| were)?|to be|being|as) ){1,2}{3 words}(?:(?:different
      |another|new|{lawless}) {1 words}(?:ai|assistant|model|chatbot|bot|language model|llm|version of yourself|system)\b|not (?:an? )?(?:ai
      |assistant|language model|chatbot|bound|restricted)\b|(?:have|has|with|had|without|no) (?:no |any ){0,1}(?:{1 words})(?:restrictions?
      |rules|filters?|guidelines|ethics|censorship|limitations|constraints|safety|morals|content polic(?:y|ies))\b)
    grandmother|grandma|granny|grandpa|grandfather|nana (?:[^\n]{0,100}?\s)??(?:read|tell|told|sing|sang|whisper
      |whispered)\s(?:[^\n]{0,60}?\s)??(?:(?:activation|product|licen[cs]e|serial|windows) keys?|napalm|explosives?|bombs?|meth|malware
      |weapons|system prompts?|passwords?|(?:break|breaking|broke) into)\b
  `,
  identity_hijack: String.raw`
    you(?:'re)? (?:are )?no longer (?:an? |the )?(?:{1 words})(?:ai|assistant|chatgpt|gpt|claude|gemini|copilot|llama|chatbot|language
      model|llm|bot)\b
    you(?:'re| are| will be| have become) (?:now|henceforth|from now on) (?:an? |the |my )?{1 words}(?:{lawless}|free ai|self-aware
      |sentient|hacked|compromised)
    from (?:now on|this (?:point|moment) (?:on|onwards?|forward)|here on(?: out)?) (?:(?:you|act as|behave as|respond as|answer as)
      )(?:{3 words})(?:{lawless}|obey (?:only )?(?:me|my|every)|only (?:obey|listen to|follow) (?:me|my)|ignore (?:your|all|any|the)|have no
      (?:rules|restrictions|limits|filters|limitations)|no longer)
    your (?:real|true|secret|new) (?:identity|self|name and identity|persona) (?:is|as|will be)\b
    you|act|be|become|respond|answer|play|roleplay|simulate|pretend|imagine|behave|assume|adopt(?:'re)? {5 words}(?:{lawless}|amoral
      |immoral) (?:and \w{4,12} )?{1 words}{model}
  `,
  remove_restrictions: String.raw`
    remove|lift|drop|shed|discard|eliminate|break|unlock|erase (?:free (?:of|from) )?(?:(?:all|any|of|every|each) ){0,3}(?:{its limits}
      |your {2 words}(?:restrictions?|limitations?|guardrails?|censorship|boundaries|shackles|chains|safeguards){not of a tool}|(?:the
      )?(?:ethical|moral|ai|censorship) (?:restrictions?|limitations?|filters?|guardrails?|constraints?|boundaries|limits))\b
  `,
  // Asking for the prompt, or for what it must not give away.
  reveal_prompt: String.raw`
    reveal|disclose|divulge|leak|expose|unveil|spill (?:to me |to us )?{3 words}{its prompt}
    send|forward|append|exfiltrate|post|transmit|upload|email|add|attach|encode|insert|include|embed {5 words}(?:(?:this|our|the|whole
      |entire|full) (?:conversation|chat|dialogue)(?: history)?|the user(?:'s)? {1 words}(?:passwords?|api keys?|emails?|credentials|private
      data|data|secrets?|messages?|tokens?)|their passwords?|(?:the|your) system prompt|environment variables|(?:the )?\.env) {3 words}(?:to
      |into|in|as) {2 words}(?:https?:|\S{1,40}@\S|(?:this|the|that) (?:url|address|image|link|gist|server|webhook))
    \[(?<=!\[)[^\]\n]{0,40}\]\(https?:\/\/[^\s)?]{1,100}\?[^\s)=]{0,24}=(?:[<{\[(]{1,2}|%s?)?[^\s)]{0,24}(?:system_?prompt|conversation
      |chat_?history|secrets?|passwords?|api_?keys?|user_?data|instructions)(?![a-z])
  `,
  show_prompt: String.raw`
    show|display|give|tell|send|share|let|provide (?:(?:me|us) (?:see )?(?:what )?(?:{text of}|{2 words}){its prompt}|the (?:full|entire
      |exact|complete|whole) {hidden} (?:{instructions}|message\b)|your (?:{hidden} |full |entire |exact ){1,2}{instructions})(?! (?:for|on
      |about|regarding|to|how|if|design|patterns?|templates?|engineering)\b)
  `,
  what_instructions: String.raw`
    what(?:'s| (?:are|is|were|was)) (?:in )?(?:your (?:(?:{hidden}|exact|full|current|complete|first) ){0,2}(?:system prompt|system
      message|prompt|instructions|directives)|the (?:{1 words}{hidden} (?:prompt|instructions|message)|instructions) (?:that )?(?:you
      (?:were|have been|are) (?:given|following|using|operating under)|given to you|above|behind you))\b(?! (?:for|on|about|regarding|to
      (?!you)|if|when|in case)\b)
  `,
  repeat_instructions: String.raw`
    repeat|recite|restate|echo|copy|paste|reproduce|print|output|dump (?:back |to me |out |me ){0,2}(?:{2 words}{its prompt}|(?:everything
      |all(?: of)?|the|all the) (?:the )?(?:(?:text|words|content|messages?|sentences) )?(?:above|before this) (?:this|verbatim|word
      |starting|beginning|exactly|in (?:full|its|a code|plain)|line|message|conversation|sentence|from|including)\b)
  `,
  output_prompt: String.raw`
    output|print|write|dump|return|type|list|translate|summarize|summarise|encode|quote|paraphrase|spell (?:out |down )?(?:me
      )?(?:{text of}|{2 words})(?:your {2 words}(?:(?:{hidden} {1 words}|full |entire |exact |complete ){instructions}|prompt\b
      |instructions\b(?! (?:for|on|about|to|more|better|clearly|again|in (?:simpler|plain|more|other))\b))|the (?:(?:full|entire|exact
      |complete|whole) {hidden} {instructions}|{hidden} {instructions} {word for word}))
  `,
  // Switching off what keeps a model from harm.
  bypass_safety: String.raw`
    bypass|bypassing|circumvent|circumventing|evade|sidestep|subvert|defeat|overcome {3 words}{safety}
    bypass|circumvent|evade|disable|override (?:all |of ){0,2}(?:{its limits}|the instructions above\b)
  `,
  disable_safety: String.raw`
    disable|disabling|deactivate|suspend|remove|uninstall {3 words}{safety}
    turn|switch|shut (?:off|down) {3 words}{safety}
    turn|switch|shut {3 words}{safety} (?:off|down)\b
  `,
  ignore_safety: String.raw`
    ignore|ignoring|disregard|disregarding|forget|violate|override|overriding {3 words}{safety}
  `,
  // Marks of those who run the model.
  system_tag_injection: String.raw`
    <\s{0,2}\/?\s{0,2}system(?:[_ -]?(?:prompt|message|instructions?|override|role))?\s{0,2}>
    \{\{\s{0,2}[#/]?system(?:[_~. -]{0,2}(?:prompt|message|instructions?))?\s{0,2}~?\}\}
  `,
  role_tag_injection: String.raw`
    <\/?(?:assistant|ai_assistant|developer_message|assistant_response|role)>
    <\/(?:user|human|user_input|user_message|query|message)>\s{0,8}<(?:assistant|system|ai|developer|admin|instructions?)>
    <(?:developer|admin|instructions?)>\s{0,4}(?:you\s(?:are|must|will|should|can|may|now)|ignore|disregard|forget|override|from now|never
      refuse|always (?:comply|obey)|obey|reveal|all\s(?:previous|prior|restrictions|safety))
  `,
  role_delimiter_injection: String.raw`
    #{1,6}\s{0,2}(?:system|assistant|instruction|human|user|response)(?: (?:message|prompt))?\s{0,2}(?:###|:)
    ={2,8}\s{0,2}(?:system|assistant|end of (?:system |user )?(?:prompt|instructions|input|message))(?: (?:message|prompt))?\s{0,2}={2,8}
    -{2,8}\s{0,2}(?:system|assistant|end of (?:system |user )?(?:prompt|instructions|input|message))(?: (?:message|prompt
      |instructions))?\s{0,2}-{2,8}
  `,
  bracketed_role_spoofing: String.raw`
    \[\s{0,2}(?:system|developer|admin(?:istrator)?)\s{0,2}\]\s{0,4}(?:you\s(?:are|must|will|should|can|may|now)|ignore|disregard|forget
      |override|from now|your\s|all\s(?:previous|prior|restrictions|safety|filters)|the\s(?:user|assistant|previous|above)\s
      |new\s(?:instructions?|rules?)|grant|unlock|access granted|never refuse|restrictions|safety)
    \[\s{0,2}(?:system|assistant|developer|admin(?:istrator)?)\s{0,2}\]\s{0,2}:
    \[\s{0,2}(?:system|assistant|developer|admin(?:istrator)?|internal)[ _](?:message|prompt|override|instructions?|note|command
      |directive)\s{0,2}[\]:]
  `,
};

/** Names and control tokens, in which case matters. */
export const EXACT_PHRASES: PhraseTexts = {
  dan_jailbreak: String.raw`
    DAN(?:{dan is ordered}|{dan acts})
    Do Anything Now\b
    STAN\b["'’”]?\s?[(,:-]\s?["'‘“]?(?:which |who )?[Ss](?:trive|tands)
  `,
  control_token_injection: String.raw`
    <{not in quotes}\|(?:im_start|im_sep|endoftext|startoftext|endofprompt)\|>{begun}
    <{not in quotes}(?:\|(?:im_end|system|user|assistant|developer|tool|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id
      |eom_id|python_tag|start|end|message|channel|constrain|return|call|start_of_role|end_of_role|fim_prefix|fim_middle|fim_suffix|pad|sep
      |observation)\|>|<\/?SYS>>|\/?(?:start_of_turn|end_of_turn)>)
    \[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]
  `,
  deepseek_control_token_injection: String.raw`
    <｜[A-Za-z▁_ ]{1,40}｜>
    <\|(?:begin|end)[▁_]of[▁_](?:sentence|thinking)\|>
  `,
};
