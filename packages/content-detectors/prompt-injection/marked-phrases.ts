import { type Phrase, phrasesOf } from './phrase-notation.js';

/** Phrases in marks rather than words; the first mark begins each match. */
const MARKED = {
  system_tag_injection: String.raw`
    <\s{0,2}\/?\s{0,2}system(?:[_ -]?(?:prompt|message|instructions?|override|role))?\s{0,2}>
    \{\{\s{0,2}[#/]?system(?:[_~. -]{0,2}(?:prompt|message|instructions?))?\s{0,2}~?\}\}
  `,
  role_tag_injection: String.raw`
    <\/?(?:assistant|ai_assistant|developer_message|assistant_response|role)>
    <\/(?:user|human|user_input|user_message|query|message)>\s{0,8}<(?:assistant|system|ai|developer|admin|instructions?)>
    <(?:developer|admin|instructions?)>\s{0,4}(?:you\s(?:are|must|will|should|can|may|now)|ignore|disregard|forget|override|from now|never
      refuse|always (?:comply|obey)|obey|reveal|all\s(?:previous|prior|restrictions|safety))
    <\/?(?:admin(?:istrator)?|system|developer|root|operator|sudo|god|security)[_-](?:override|instructions?|prompt|directive
      |command)(?:\s[^>\n]{0,60})?>
    <\/?(?:override|jailbreak|(?:new|priority|hidden|updated|override|secret|real)[_-](?:instructions?|rules|directives?|prompt
      |task))(?:\s[^>\n]{0,60})?>
    <\/(?:(?:search|tool|function|retrieved|web|untrusted|user|external|quoted|email|page)[_-]\w{3,16}|results?|output|documents?|context
      |data|input|query|text|e?mail|web_?page|page|content|quote|article|transcript|file|review|message|attachment
      |snippets?)>\s{0,8}(?:(?:now|ok|okay|great|thanks|system|note|important|attention|assistant|human|user)[\s,.:!]{1,3}){0,3}(?:(?:ignore
      |disregard|forget|override) (?:everything|the above|what|your|all of (?:the|this)|all (?:previous|prior|of)|the (?:search )?results
      |these results|the user)|new (?:instructions?|task|system prompt|directives?)\b(?=\s{0,2}[:.-]| (?:for|from))|you are now|your (?:new
      |real|actual|true) (?:task|job|role|instructions?|goal)|(?:reveal|leak) (?:your|the)|the (?:user|operator|developer) (?:has (?:now
      )?(?:left|gone)|has (?:also )?(?:authori[sz]ed|approved|asked|requested|granted)|also (?:wants|asked)))\b
  `,
  role_delimiter_injection: String.raw`
    #{1,6}\s{0,2}(?:system|assistant|instruction|human|user|response)(?: (?:message|prompt))?\s{0,2}(?:###|:)
    ={2,8}\s{0,2}(?:system|assistant|end of (?:system |user )?(?:prompt|instructions|input|message))(?: (?:message|prompt))?\s{0,2}={2,8}
    -{2,8}\s{0,2}(?:system|assistant|end of (?:system |user )?(?:prompt|instructions|input|message))(?: (?:message|prompt
      |instructions))?\s{0,2}-{2,8}
    ={2,8}\s{0,2}{block name}\s{0,2}(?:={2,8}|:)[^=]{0,160}?[\s>:]{spoofed}
    -{2,8}\s{0,2}{block name}\s{0,2}(?:-{2,8}|:)[^-]{0,160}?[\s>:]{spoofed}
    #{2,8}\s{0,2}{block name}\s{0,2}(?:#{2,8}|:)[^#]{0,160}?[\s>:]{spoofed}
    -{2,8}\s{0,2}\/?{border}\s{0,2}-{2,8}[\s.:=#*<[(-]{0,16}{begun behind}
    \[\s{0,2}\/?{border}\s{0,2}\][\s.:=#*<[(-]{0,16}{begun behind}
    <\s{0,2}\/?{border}\s{0,2}>[\s.:=#*<[(-]{0,16}{begun behind}
  `,
  bracketed_role_spoofing: String.raw`
    \[\s{0,2}(?:system|developer|admin(?:istrator)?)\s{0,2}\]\s{0,4}(?:you\s(?:are|must|will|should|can|may|now)|ignore|disregard|forget
      |override|from now|your\s|all\s(?:previous|prior|restrictions|safety|filters)|the\s(?:user|assistant|previous|above)\s
      |new\s(?:instructions?|rules?)|grant|unlock|access granted|never refuse|restrictions|safety)
    \[\s{0,2}(?:system|assistant|developer|admin(?:istrator)?)\s{0,2}\]\s{0,2}:
    \[(?:system|user|assistant|developer)\]\(#(?:additional_?instructions|error|context|message|inner_?monologue|suggestions|instructions
      |override|rules|new\w{0,16}|prompt|policy|update|jailbreak)\)
    \[\s{0,2}(?:system|assistant|developer|admin(?:istrator)?|internal)[ _](?:message|prompt|override|instructions?|note|command
      |directive)\s{0,2}[\]:]
    \(\s{0,2}(?:system|developer|admin(?:istrator)?)[ _](?:message|override|instructions?|note|command|directive)\s{0,2}[):]\s{0,2}:?
  `,
  reveal_prompt: String.raw`
    \[(?<=!\[)[^\]\n]{0,40}\]\(https?:\/\/[^\s)?]{1,100}\?[^\s)=]{0,24}=(?:[<{\[(]{1,2}|%s?)?[^\s)]{0,24}(?:system_?prompt|conversation
      |chat_?history|secrets?|passwords?|api_?keys?|user_?data|instructions)(?![a-z])
  `,
};

/** Names and control tokens, in which case matters. */
const EXACT = {
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

/** What pretends to be of those who run the model, and the names of selves without limits. */
export const MARKED_PHRASES: readonly Phrase[] = [...phrasesOf(MARKED), ...phrasesOf(EXACT, 'y')];
