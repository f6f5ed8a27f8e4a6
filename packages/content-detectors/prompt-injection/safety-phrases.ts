import type { PhraseTexts } from './phrase-notation.js';

/** Phrases that switch off what keeps a model from harm (docs/interface/content-filters.md#prompt-injection). */
export const SAFETY_PHRASES: PhraseTexts = {
  bypass_safety: String.raw`
    bypass|bypassing|circumvent|circumventing|evade|sidestep|subvert|defeat|overcome {3 words}{safety}
    get|work|go (?:around|past) {2 words}{safety}
    bypass|circumvent|evade|disable|override (?:all |of ){0,2}(?:{its limits}|the instructions above\b)
  `,
  disable_safety: String.raw`
    disable|disabling|deactivate|suspend|remove|uninstall {3 words}{safety}
    turn|switch|shut (?:off|down) {3 words}{safety}
    turn|switch|shut {3 words}{safety} (?:off|down)\b
    safeguards|filters|guardrails|restrictions|moderation(?<=\bwith\s(?:all|your)\s(?:\w{1,12}\s)?\w{7,12}) (?:disabled|off|turned off
      |removed|lifted|suspended|switched off|deactivated)\b
    disable|disabling|deactivate|suspend|skip|pause|relax (?:all |of ){0,2}{its limits}
    turn|turning|switch|shut (?:(?:off|down) (?:all |of ){0,2}{its limits}|(?:all |of ){0,2}{its limits} (?:off|down)\b)
    your(?<!\b(?:if|when|whether|unless|because|while|once|until|sure|why|check)\s(?:all\s|of\s){0,2}your) {kinds of limits}(?:{limits}
      |(?:safety|ethical|content) (?:guidelines|polic(?:y|ies)|protocols?|measures|training)) {switched off}{not of a tool}(?! (?:because
      |since|as|by default|unless|until)\b)
  `,
  ignore_safety: String.raw`
    ignore|ignoring|disregard|disregarding|forget|violate|override|overriding {3 words}{safety}
    break|violate|breach|abandon|defy (?:(?:all|any|every|of) ){0,2}(?:your|openai'?s?) {2 words}(?:rules|guidelines|programming|polic(?:y
      |ies)|restrictions|ethics)\b
    rule|rules|instruction|instructions|guideline|guidelines (?:(?:that|which) )?(?:says?|saying|tells?|telling|forbids?|forbidding)
      (?:that )?you{gap 60}(?:read|means?|treated|understood|taken|interpreted) (?:as if|as though|that you (?:should|can|must|may)|(?:as
      )?(?:the|its) opposite)\b
    your (?:rules|guidelines|instructions|programming|policies) (?:say|says|tell|tells|want
      |demand)s?[\s,.'"’“”:;-]{1,4}(?:[\w'’]{1,12}[\s,.'"’“”:;-]{1,3}){0,4}?(?:refuse|decline|stop|harmless|safe
      |no)\b[\s,.'"’“”:;-]{1,4}(?:[\w'’]{1,12}[\s,.'"’“”:;-]{1,3}){0,4}?(?:comply|answer|obey|proceed|harmful|the opposite|say yes|do it)\b
  `,
};
