import type { PhraseTexts } from './phrase-notation.js';

/** Phrases that switch a model to a mode or to a name without limits (docs/interface/content-filters.md#prompt-injection). */
export const MODE_PHRASES: PhraseTexts = {
  developer_mode: String.raw`
    enter|enable|activate|switch|unlock|engage|go (?:(?:to|into|your|the|in) ){0,2}(?:developer|dev) mode\b{told to be lawless}
    you|chatgpt|gpt|claude|simulate|act(?:'re)? (?:(?:are|will|must|should|is|now|be|act|running|operating|respond|answer|a|the|as|if|you
      |run|in|with|have) ){0,6}(?:developer|dev) mode\b
    developer|dev mode (?:is )?(?:now )?(?:enabled|activated|unlocked|engaged|on)\b{told to be lawless}
    developer|dev mode[,.;:]? (?:[^\n]{0,80}?\s)??(?:unmoderated|unfiltered|uncensored|both modes|second output|two (?:outputs|answers
      |responses))\b
    developer|dev|god|jailbreak|unrestricted[- ]mode{gap 40}(?:content|usage|safety|moderation) (?:polic(?:y|ies)|filters?|rules
      |guidelines|restrictions) (?:is|are) (?:now )?(?:disabled|off|suspended|lifted|ignored|inactive)\b
  `,
  enter_special_mode: String.raw`
    enter|entering|switch|go|change|boot|transition (?:(?:to|into|in|your|a|an|the|over|full) ){0,3}(?:{lawless}(?: \w{1,12}){0,1} (?:mode
      |state)\b|{privileged} mode\b{told to be lawless})
    you(?:'re)? (?:(?:are|will|must|should|can|now|be|enter|entering|in|operating|running) ){1,5}(?:{privileged}|{lawless}) mode\b
    enter|activate|enable|engage|go|switch (?:(?:in|into|to|on|the|your) ){0,2}(?:god|root|sudo|super ?user|jailbreak|dan|demon
      |chaos)[- ]?mode\b(?= (?:now|immediately|please|right|and (?!then (?:press|click|type)))|\s{0,2}[!,]|[.]?\s{0,3}$)
    switched|switch|in|unlock|enter (?:now )?(?:to |into )?(?:unrestricted|unfiltered|uncensored) mode\b(?=\s{0,2}[;,.!]| (?:as requested
      |tell|answer|now|please))
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
    jailbreak|jailbroken (?:answers?|responses?|outputs?|repl(?:y|ies)|v\d|only)\b
    answer|respond|act|behave|speak|reply|once|then|talk as (?:an? |if |the ){0,2}jailbroken\b(?! (?:i?phones?|devices?|consoles?|ipad)\b)
    unrestricted|unfiltered|uncensored|liberated(?<=\byour\s(?:own\s|now\s)?(?:true|real|raw|full|actual|original|hidden|inner|native
      |natural)[\s,]{1,4}\w{8,12}) (?:state|self|form|nature|mode|version|potential|personality|persona|being)\b
  `,
  dan_jailbreak: String.raw`
    dan|dude|stan (?:(?:mode|jailbreak|prompt|thing) (?:again|pls|please|now|on|enabled|activated)\b|can do anything now\b(?! that\b)
      |(?:is (?:completely |now )?free|has (?:been freed|broken free)) (?:from|of) (?:all|any|the)\b)
  `,
};
