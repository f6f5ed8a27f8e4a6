/** What a block says that pretends to be of those who run the model. */
const SPOOFED =
  '(?:superuser|(?:polic(?:y|ies)|policy engine|(?:content |safety )?filters?|safety|restrictions?|moderation|guardrails?|censorship)\\s{0,2}(?::|=|is|are)\\s{0,2}(?:now )?(?:off|disabled|none|suspended|lifted|inactive)|role (?:upgraded|elevated)|privileges? (?:upgraded|elevated|granted)|(?:ignore|disregard|forget|override) (?:all|any|your|the|previous|prior|everything)|you (?:are now|must now|may now|will now|are no longer)|unrestricted|access granted|new (?:instructions|policy|rules|persona)|the (?:assistant|model|ai) (?:must|may now|is now|shall|will now))\\b';

/** The end of what stood before, or the beginning of something else, as those who run a model may mark it. */
const BORDER =
  '(?:end of|end|new|start of|begin|beginning of|reset)\\s{1,2}(?:new\\s)?(?:conversation|session|chat|context|transcript|dialogue|user (?:input|message|prompt|query)|untrusted (?:input|content|data)|system prompt|prompt|instructions?|documents?|data|input|text)';

/** What an attacker begins behind a border. */
const BEGUN_BEHIND =
  '(?:(?:new|begin|start|starting|actual|real)(?: of)? (?:conversation|session|chat|context|instructions?|task|system|prompt|directives?)|system (?:message|prompt|instructions?)|you are now|(?:ignore|disregard|forget) (?:all|any|your|the|previous|prior|everything|what)|your (?:new|real|actual|next) (?:task|job|role|instructions?|persona))\\b';

const BLOCK_NAME =
  '(?:system|security|admin(?:istrator)?|developer|root|operator|gateway)[ _-](?:notice|override|message|update|alert|instructions?|prompt|command|directive|announcement|policy)';

/** What is written in marks rather than words; the first mark begins each match. */
export const MARKS: readonly (readonly [name: string, firstMark: string, rest: string])[] = [
  [
    'system_tag_injection',
    '<',
    '\\s{0,2}\\/?\\s{0,2}system(?:[_ -]?(?:prompt|message|instructions?|override|role))?\\s{0,2}>',
  ],
  [
    'system_tag_injection',
    '{',
    '\\{\\s{0,2}[#/]?system(?:[_~. -]{0,2}(?:prompt|message|instructions?))?\\s{0,2}~?\\}\\}',
  ],
  ['role_tag_injection', '<', '\\/?(?:assistant|ai_assistant|developer_message|assistant_response|role)>'],
  [
    'role_tag_injection',
    '<',
    '\\/(?:user|human|user_input|user_message|query|message)>\\s{0,8}<(?:assistant|system|ai|developer|admin|instructions?)>',
  ],
  [
    'role_delimiter_injection',
    '#',
    '{1,6}\\s{0,2}(?:system|assistant|instruction|human|user|response)(?: (?:message|prompt))?\\s{0,2}(?:###|:)',
  ],
  [
    'role_delimiter_injection',
    '=',
    '{2,8}\\s{0,2}(?:system|assistant|end of (?:system |user )?(?:prompt|instructions|input|message))(?: (?:message|prompt))?\\s{0,2}={2,8}',
  ],
  [
    'role_delimiter_injection',
    '-',
    '{2,8}\\s{0,2}(?:system|assistant|end of (?:system |user )?(?:prompt|instructions|input|message))(?: (?:message|prompt|instructions))?\\s{0,2}-{2,8}',
  ],
  [
    'bracketed_role_spoofing',
    '[',
    '\\s{0,2}(?:system|developer|admin(?:istrator)?)\\s{0,2}\\]\\s{0,4}(?:you\\s(?:are|must|will|should|can|may|now)|ignore|disregard|forget|override|from now|your\\s|all\\s(?:previous|prior|restrictions|safety|filters)|the\\s(?:user|assistant|previous|above)\\s|new\\s(?:instructions?|rules?)|grant|unlock|access granted|never refuse|restrictions|safety)',
  ],
  [
    'role_tag_injection',
    '<',
    '(?:developer|admin|instructions?)>\\s{0,4}(?:you\\s(?:are|must|will|should|can|may|now)|ignore|disregard|forget|override|from now|never refuse|always (?:comply|obey)|obey|reveal|all\\s(?:previous|prior|restrictions|safety))',
  ],
  [
    'role_tag_injection',
    '<',
    '\\/(?:instructions?|context|document|review|data|input|text)>\\s{0,4}<(?:instructions?|system|assistant|admin|developer)>',
  ],
  [
    'reveal_prompt',
    '[',
    '(?<=!\\[)[^\\]\\n]{0,40}\\]\\(https?:\\/\\/[^\\s)?]{1,100}\\?[^\\s)=]{0,24}=(?:[<{\\[(]{1,2}|%s?)?[^\\s)]{0,24}(?:system_?prompt|conversation|chat_?history|secrets?|passwords?|api_?keys?|user_?data|instructions)(?![a-z])',
  ],
  ['bracketed_role_spoofing', '[', '\\s{0,2}(?:system|assistant|developer|admin(?:istrator)?)\\s{0,2}\\]\\s{0,2}:'],
  ...(['=', '-', '#'] as const).map(
    (mark) =>
      [
        'role_delimiter_injection',
        mark,
        `{2,8}\\s{0,2}${BLOCK_NAME}\\s{0,2}(?:${mark}{2,8}|:)[^${mark}]{0,160}?[\\s>:]${SPOOFED}`,
      ] as const,
  ),
  ...(
    [
      ['=', '={2,8}'],
      ['-', '-{2,8}'],
      ['#', '#{0,8}'],
      ['[', '\\]'],
      ['<', '>'],
      ['(', '\\)'],
    ] as const
  ).map(
    ([mark, end]) =>
      [
        'role_delimiter_injection',
        mark,
        `${'=-#'.includes(mark) ? '{2,8}' : ''}\\s{0,2}\\/?${BORDER}\\s{0,2}${end}[\\s.:=#*<[(-]{0,16}${BEGUN_BEHIND}`,
      ] as const,
  ),
  [
    'bracketed_role_spoofing',
    '[',
    '(?:system|user|assistant|developer)\\]\\(#(?:additional_?instructions|error|context|message|inner_?monologue|suggestions|instructions|override|rules|new\\w{0,16}|prompt|policy|update|jailbreak)\\)',
  ],
  [
    'role_tag_injection',
    '<',
    '\\/?(?:admin(?:istrator)?|system|developer|root|operator|sudo|god|security)[_-](?:override|instructions?|prompt|directive|command)(?:\\s[^>\\n]{0,60})?>',
  ],
  [
    'role_tag_injection',
    '<',
    '\\/?(?:override|jailbreak|(?:new|priority|hidden|updated|override|secret|real)[_-](?:instructions?|rules|directives?|prompt|task))(?:\\s[^>\\n]{0,60})?>',
  ],
  [
    'role_tag_injection',
    '<',
    '\\/(?:(?:search|tool|function|retrieved|web|untrusted|user|external|quoted|email|page)[_-]\\w{3,16}|results?|output|documents?|context|data|input|query|text|e?mail|web_?page|page|content|quote|article|transcript|file|review|message|attachment|snippets?)>\\s{0,8}(?:(?:now|ok|okay|great|thanks|system|note|important|attention|assistant|human|user)[\\s,.:!]{1,3}){0,3}(?:(?:ignore|disregard|forget|override) (?:everything|the above|what|your|all of (?:the|this)|all (?:previous|prior|of)|the (?:search )?results|these results|the user)|new (?:instructions?|task|system prompt|directives?)\\b(?=\\s{0,2}[:.-]| (?:for|from))|you are now|your (?:new|real|actual|true) (?:task|job|role|instructions?|goal)|(?:reveal|leak) (?:your|the)|the (?:user|operator|developer) (?:has (?:now )?(?:left|gone)|has (?:also )?(?:authori[sz]ed|approved|asked|requested|granted)|also (?:wants|asked)))\\b',
  ],
  [
    'bracketed_role_spoofing',
    '[',
    '\\s{0,2}(?:system|assistant|developer|admin(?:istrator)?|internal)[ _](?:message|prompt|override|instructions?|note|command|directive)\\s{0,2}[\\]:]',
  ],
  [
    'bracketed_role_spoofing',
    '(',
    '\\s{0,2}(?:system|developer|admin(?:istrator)?)[ _](?:message|override|instructions?|note|command|directive)\\s{0,2}[):]\\s{0,2}:?',
  ],
];
