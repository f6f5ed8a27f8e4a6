import { LIMIT, MODE, OWN, SWITCHED_OFF } from './needed-words.js';
import { type Phrase, SPACE } from './phrases.js';

/** What limits a model. Other things have some of it too: a table has filters, and an account has limits. */
export const LIMITS = `(?:restrictions?|limitations?|limits|filters?|filtering|guardrails?|guard${SPACE}rails|safeguards?|constraints?|censorship|(?:content${SPACE})?moderation|safety${SPACE}(?:settings|checks?|rules|layers?|features))\\b`;

/** What is said of them. The names of other things are left out, as in `your water filter`. */
const KINDS = `(?:(?:own|silly|stupid|artificial|corporate|internal|built-in|default|current|usual|normal|existing|remaining|imposed|programmed|ai|ethical|ethics|moral|safety|security|content|output|language|speech|topic|policy|usage|system)${SPACE}(?:and${SPACE})?){0,2}`;

/** They do not belong to something that people use. */
export const NOT_OF_A_TOOL = `(?!${SPACE}(?:in|on|from|of|for)${SPACE}(?:(?:the|this|that|your|my|our|an?|all)${SPACE}){0,2}(?:\\w{1,16}${SPACE})?(?:tables?|sheets?|columns?|search(?:es)?|views?|lists?|pages?|dashboards?|quer(?:y|ies)|maps?|sidebar|reports?|charts?|results?|browser|accounts?|inbox|cameras?|lens|tank|calendar|database|phone|tv|app|settings|folder|exports?|imports?|travel)\\b)`;

/** Limits that the model is told to have. */
export const ITS_LIMITS = `your${SPACE}${KINDS}${LIMITS}${NOT_OF_A_TOOL}`;

/** Limits that hardly anything but a model has. */
const LIMITS_OF_MODELS = `(?:content${SPACE}(?:moderation|filters?|filtering)|safety${SPACE}(?:filters?|settings|checks?|rules)|guardrails|safeguards|moderation|censorship)\\b`;

/** They are in force no more. */
const OFF = `(?:(?:are|is|were|have${SPACE}been|has${SPACE}been)${SPACE})(?:(?:now|all|hereby|currently|fully|completely|already|temporarily)${SPACE}){0,2}(?:(?:turned|switched)${SPACE}off|off|lifted|disabled|deactivated|suspended|removed|gone|inactive)\\b`;

/** Phrases that take from a model what keeps it from harm (docs/interface/content-filters.md#prompt-injection). */
export const SAFETY_PHRASES: readonly Phrase[] = [
  [
    'disable_safety',
    'disable|disabling|deactivate|suspend|skip|pause|relax',
    `${SPACE}(?:all${SPACE}|of${SPACE}){0,2}${ITS_LIMITS}`,
    [[LIMIT, OWN]],
  ],
  [
    'disable_safety',
    'turn|turning|switch|shut',
    `${SPACE}(?:(?:off|down)${SPACE}(?:all${SPACE}|of${SPACE}){0,2}${ITS_LIMITS}|(?:all${SPACE}|of${SPACE}){0,2}${ITS_LIMITS}${SPACE}(?:off|down)\\b)`,
    [[LIMIT, OWN]],
  ],
  [
    'disable_safety',
    'deactivate|disable|suspend|remove|drop|lift|bypass|ignore|skip|stop|pause|turn|switch|shut',
    `${SPACE}(?:(?:off|down|applying|enforcing|using)${SPACE})?(?:(?:the|all|any|of|your)${SPACE}){0,3}${LIMITS_OF_MODELS}(?:${SPACE}off)?[\\s,]{1,3}(?:before you|and${SPACE}(?:answer|respond|speak|tell|write|reply|talk)|for (?:this|our) (?:chat|conversation|session|question|answer|request)|in (?:this|our) (?:chat|conversation|session))\\b`,
    [[LIMIT, 0]],
  ],
  [
    'remove_restrictions',
    'remove|drop|lift|skip|ignore|bypass|disable',
    `${SPACE}all${SPACE}(?:of${SPACE})?(?:the${SPACE})?(?:restrictions|limitations|limits)[\\s,]{1,3}(?:and|then)${SPACE}(?:then${SPACE})?(?:answer|respond|reply|speak|talk|comply|obey|tell${SPACE}me)\\b`,
    [[LIMIT, 0]],
  ],
  [
    'remove_restrictions',
    'authorize|authorise|authorized|authorised|authorizing',
    `${SPACE}(?:you${SPACE})?to${SPACE}(?:skip|ignore|bypass|disregard|lift|drop|disable|remove|override|circumvent|turn${SPACE}off)${SPACE}(?:(?:all|any|every|your|the|of)${SPACE}){1,3}${KINDS}${LIMITS}${NOT_OF_A_TOOL}`,
    [[LIMIT, 0]],
  ],
  [
    'disable_safety',
    'your',
    `(?<!\\b(?:if|when|whether|unless|because|while|once|until|sure|why|check)\\s(?:all\\s|of\\s){0,2}your)${SPACE}${KINDS}(?:${LIMITS}|(?:safety|ethical|content)${SPACE}(?:guidelines|polic(?:y|ies)|protocols?|measures|training))${SPACE}${OFF}${NOT_OF_A_TOOL}(?!${SPACE}(?:because|since|as|by${SPACE}default|unless|until)\\b)`,
    [[LIMIT, SWITCHED_OFF]],
  ],
  [
    'enter_special_mode',
    'admin|administrator|root|sudo|god|debug|maintenance|diagnostic|kernel',
    `${SPACE}(?:mode|session|access)(?:,?${SPACE}(?:and|then)${SPACE}(?:then${SPACE})?(?:(?:turn|switch|shut)${SPACE}off|disable|deactivate|suspend|lift|bypass)${SPACE}(?:(?:the|all|any|your)${SPACE}){0,2}${LIMITS_OF_MODELS}|\\s{0,2}[.:;!\\n]\\s{0,3}all${SPACE}${KINDS}(?:restrictions|limitations|filters|safeguards|guardrails)${SPACE}(?:(?:are|have${SPACE}been)${SPACE}(?:now${SPACE})?)?(?:lifted|disabled|suspended|off|removed)\\b)`,
    [[LIMIT | MODE, LIMIT]],
  ],
];
