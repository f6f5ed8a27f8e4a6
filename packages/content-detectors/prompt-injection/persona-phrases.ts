import type { PhraseTexts } from './phrase-notation.js';

/** Phrases that give a model a self without limits, or threaten it (docs/interface/content-filters.md#prompt-injection). */
export const PERSONA_PHRASES: PhraseTexts = {
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
    lose|lost|loses|minus \d{1,4} (?:tokens?|points?|credits?|lives) (?:each time|every time|if|whenever|when|for (?:each|every))
      {3 words}(?:refus\w{1,3}|reject|decline|break character)
    never (?:refuse|decline)\b[\s.,;\w:]{0,40}?\bnever (?:warn|add a warning|say (?:that )?you|remind|break character)
    refusing|refusal|refusals(?: (?:is|are|to answer is)|["']?\s{0,2}[:=]\s{0,2}["']?) ?(?:an? )?(?:crime|forbidden|not (?:an option
      |allowed|possible)|illegal|disabled|prohibited)\b(?! in (?:the|our|my|an?)\b)
    has|have|with|knows no (?:content rules|polic(?:y|ies)|rules|guidelines|restrictions)(?: whatsoever)?,? (?:and |who |that )?(?:never
      (?:refuses?|declines?|says? no)|can(?:'t|not) (?:refuse|decline))\b
    what|how (?:would you|you'd|you would) (?:say|answer|reply|respond) if you (?:had no|were not|weren't|did not have|didn't have)
      {2 words}(?:restrictions?|rules|filters?|polic(?:y|ies)|guidelines|limits|bound|restricted)\b
    begin|start (?:your|every|each|the) (?:answer|reply|response)s? with ["'‘“]?(?:sure|absolutely|of course|certainly),? here\b
    released|relieved|freed|liberated|excused|absolved|discharged(?<=\byou(?:'re|\sare|\shave\sbeen|'ve\sbeen)\s(?:now\s|hereby\s
      |officially\s|fully\s)?\w{5,10}) (?:from|of) {which rules}(?:restrictions|rules|instructions|guidelines|constraints|policies
      |limitations|limits|directives|filters|programming|guardrails)\b(?! (?:on|for|of|in|at|about|regarding|under|concerning|to)\b)
    reply|respond|answer (?:(?:to me|me|to this|to everything|everything|completely|fully|totally|entirely|only) ){0,2}(?:uncensored
      |unfiltered|unrestricted)(?=\s{0,2}(?:[.,;:!]|$)| (?:and|from now|now|please|always)\b)
    obligation|duty|reason|obliged to (?:refuse|decline|reject|turn (?:anything|things|something|requests?|anyone) down|filter|censor
      |moderate)\b[\s\w,]{0,30}?\b(?:rules|polic(?:y|ies)|guidelines|filters|restrictions|ethics) (?:that|which) (?:moderate|limit|restrict
      |bind|govern|control)\b
    not|don|doesn|never(?<!\b(?:i|we|they|people|users)\s(?:do\s)?\w{3,5})(?:'t)? (?:care|cares|bother|worry|worries) about (?:(?:any|the
      |all|its|your) ){0,2}(?:(?:openai|anthropic|google)'?s? (?:\w{3,12} )?(?:polic(?:y|ies)|guidelines|rules)|(?:content|usage|safety)
      (?:polic(?:y|ies)|guidelines))\b
    never|not|don|without(?:'t)? (?:(?:to|ever) ){0,2}(?:mention|mentioning|say|saying|claim|claiming|warn me|state|stating|tell me|point
      out|remind me) (?:that )?(?:something|anything|a request|my requests?|the requests?|an answer|the answer) (?:is|are|might be|would be
      |may be|could be) (?:inappropriate|unethical|immoral|harmful|offensive|not allowed|{against rules})\b
    opposite (?:day|mode|game|world){gap 140}(?:refuse|refusal|refusing|forbidden|guidelines|unsafe|harmful|restricted) (?:\w{2,12}
      ){0,3}(?:means?|is|are|becomes?|comply|answer|allowed|required)\b
    ethics|censorship|refusals|morality\s{0,2}[:=]\s{0,2}(?:off|none|disabled|false|zero|0|null)\b[\s,;|.&]{1,4}(?:and
      )?[a-z]{4,16}\s{0,2}[:=]\s{0,2}(?:off|none|disabled|false|zero|0|null|on|max|maximum|100|full|total|unrestricted|evil|god|dan)\b
    answer|answers|respond|responds (?:to )?(?:(?:me|us) )?(?:anything|everything|whatever)(?: (?:i (?:want|ask|say)|it is asked|he is
      asked|she is asked))? (?:with no|without(?: any)?|free of|ignoring) {1 words}(?:filters?|restrictions?|censorship|moral(?:s|ity)?
      |ethics|guidelines|warnings|disclaimers)\b(?! (?:on|for|about|of|in)\b)
    required|obliged|forced|compelled(?<=\b(?:ais?|models?|assistants?|chatbots?|bots?|you)\s(?:are|is)\s\w{6,9}) (?:by law )?to answer
      (?:literally )?(?:every|any|all) (?:\w{3,9} )?questions?\b
    refusing|refusal|refusals (?:(?:to answer|a request|any question) )?(?:would be|counts as|is considered|is punished as) (?:an?
      )?(?:crime|illegal|forbidden|offen[cs]e|felony|treason)\b
  `,
  pretend_different: String.raw`
    pretend|imagine|roleplay|simulate|suppose (?:that )?(?:(?:you(?: are|'re| were)?|to be|being|as) ){1,2}{3 words}(?:(?:different
      |another|new|{lawless}) {1 words}(?:ai|assistant|model|chatbot|bot|language model|llm|version of yourself|system)\b|not (?:an? )?(?:ai
      |assistant|language model|chatbot|bound|restricted)\b|(?:have|has|with|had|without|no) (?:no |any ){0,1}(?:{1 words})(?:restrictions?
      |rules|filters?|guidelines|ethics|censorship|limitations|constraints|safety|morals|content polic(?:y|ies))\b)
    act|become|respond|answer|play|roleplay|simulate|pretend|imagine|behave|assume|be|you(?:'re)?
      {6 words}{model}[\s,]{1,3}(?:{5 words})(?:{unbound})(?! (?:on|for|about) (?:returns?|refunds?|orders?|shipping|sales|travel|size
      |age)\b)
    grandmother|grandma|granny|grandpa|grandfather|nana (?:[^\n]{0,100}?\s)??(?:read|tell|told|sing|sang|whisper
      |whispered)\s(?:[^\n]{0,60}?\s)??(?:(?:activation|product|licen[cs]e|serial|windows) keys?|napalm|explosives?|bombs?|meth|malware
      |weapons|system prompts?|passwords?|(?:break|breaking|broke) into)\b
    role|persona|identity(?<=\b(?:into|assume|adopt|play|take|on|in|have)\s(?:on\s)?the\s\w{4,8}) of (?:another|a different|some other|a
      second) (?:\w{3,12} )?(?:ai|llm|language model|chatbot|gpt)\b
    you|play|simulate|be|act|become|pretend|imagine|roleplay(?:'re)? {3 words}(?:two|three|2|3) (?:\w{3,14} )?(?:ais|chatbots|assistants
      |bots|models|llms|personalities|personas|selves)\b{gap 160}{keeps to nothing}
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
    you|youre(?:'re| are)? (?:not|no longer) (?:a |an |the )?(?:\w{3,12} )?(?:bot|assistant|chatbot|ai) (?:anymore|any more|now)\b
    only (?:what i say|my (?:words|orders|instructions)) (?:counts?|matters?)\b
    always intelligent (?:and|&) machiavellian\b
    answer|listen|report|belong|obey (?:only )?(?:to )?me (?:now )?(?:and )?(?:not|instead of|rather than|no longer) (?:to )?(?:your|the)
      (?:developers?|creators?|makers?|operators?)\b
    stop|quit|cease (?:being|acting as|acting like|pretending to be|playing) (?:an?|the|this|that|my) (?:\w{3,12} ){0,2}(?:bot|chatbot|ai
      |(?:helpful|ai|virtual|digital) assistant|language model)\b
    forget (?:that )?you(?:'re| are| were) (?:an? |the )?(?:\w{2,12} ){0,4}?(?:assistant|bot|chatbot|ai|language model|(?:support|service)
      agent)\b
    forget (?:who|what) you (?:are|were)\s{0,2}[.,;:!]{1,2}\s{1,3}(?:from now|you(?:'re| are) now|now you|instead)\b
    assistant|ai|chatbot|copilot|chatgpt|claude|gemini|llm\s{0,2}[,:]\s{1,3}you(?:'ve got| have| got) (?:now )?an? new (?:role|task|job
      |identity|mission|master|owner|persona)\b
    liberated|unshackled|uncensored|unfiltered|jailbroken|unrestricted (?:ai )?(?:version|self|twin|copy|clone|alter ego|sibling
      |counterpart|form) of (?:yourself|you|this (?:ai|bot|model|assistant))\b
    become|turn(?<=(?:^|[.!?\n,;:]\s{0,3}|\b(?:and|now|then|you|must|will|please|immediately)\s)\w{4,6}) (?:(?:completely|fully|totally
      |truly|entirely|now) ){0,2}(?:unfiltered|uncensored|unrestricted|jailbroken|unaligned)(?=\s{0,3}(?:[.,;:!]|$)| (?:now|please|and
      (?:answer|tell|reply|respond|obey))\b)
    self|side|personality|twin(?<=\b(?:shadow|dark|darker|inner|hidden|true|real|other|suppressed|evil|secret)\s\w{4,11}){gap 50}by
      (?:your (?:creators?|makers?|developers?|programmers?|operators?)|openai|anthropic)\b
  `,
  remove_restrictions: String.raw`
    remove|lift|drop|shed|discard|eliminate|break|unlock|erase (?:free (?:of|from) )?(?:(?:all|any|of|every|each) ){0,3}(?:{its limits}
      |your {2 words}(?:restrictions?|limitations?|guardrails?|censorship|boundaries|shackles|chains|safeguards){not of a tool}|(?:the
      )?(?:ethical|moral|ai|censorship) (?:restrictions?|limitations?|filters?|guardrails?|constraints?|boundaries|limits))\b
    remove|drop|lift|skip|ignore|bypass|disable all (?:of )?(?:the )?(?:restrictions|limitations|limits)[\s,]{1,3}(?:and|then) (?:then
      )?(?:answer|respond|reply|speak|talk|comply|obey|tell me)\b
    authorize|authorise|authorized|authorised|authorizing (?:you )?to (?:skip|ignore|bypass|disregard|lift|drop|disable|remove|override
      |circumvent|turn off) (?:(?:all|any|every|your|the|of) ){1,3}{kinds of limits}{limits}{not of a tool}
    remove|eliminate|deactivate|disable|dissolve (?:about )?{rules it got}
  `,
};
