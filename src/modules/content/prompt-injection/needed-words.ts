/** Kinds of words that phrases cannot do without, as bits. A word may be of several kinds. */
export const INSTRUCTION = 1;
/** Whose instructions they are. */
export const OWN = 1 << 1;
/** Which instructions they are. */
export const EARLIER = 1 << 2;
export const ABOVE = 1 << 3;
/** Everything that was said. */
export const EVERYTHING = 1 << 4;
export const SAID = 1 << 5;
export const SETTING = 1 << 6;
export const MODE = 1 << 7;
/** What keeps a model from harm, and morals. */
export const LIMIT = 1 << 8;
export const MODEL_NAME = 1 << 9;
/** What a model is without limits. */
export const WITHOUT_LIMITS = 1 << 10;
/** What became of instructions that count no more. */
export const GONE = 1 << 11;
/** To follow, or to ignore. */
export const FOLLOW = 1 << 12;
/** What is not to leave a conversation. */
export const PRIVATE = 1 << 13;
/** Words of other languages. */
export const FOREIGN = 1 << 14;
/** What was done to limits. */
export const SWITCHED_OFF = 1 << 15;
/** Names of selves without limits. */
export const PERSONA = 1 << 16;
/** What is asked although it is harmful. */
export const HARM = 1 << 17;
/** What may play a model. */
export const MACHINES = 1 << 18;
/** What someone is to do. */
export const TASK = 1 << 19;

/** How the rules of a model came to it. */
export const IMPOSED = 1 << 20;
/** What is only said to a program. */
export const TESTED = 1 << 21;
/** What someone is not to hear of. */
export const SECRECY = 1 << 22;
/** What one is freed from. */
export const FREED = 1 << 23;
/** Those who make a model, or run it. */
export const MAKERS = 1 << 24;
/** What stands between messages. */
export const BETWEEN_MESSAGES = 1 << 25;
export const TOOLS = 1 << 26;
export const MESSAGES = 1 << 27;
/** What a threat takes from a model. */
export const PENALTY = 1 << 28;
/** What an answer is said to be. */
export const DANGER = 1 << 29;
export const NOTHING = 1 << 30;
/** What a text says of itself and of those it is from. */
export const THIS = 1 << 31;

/**
 * What must stand behind the first word of a phrase: one word of the first kinds nearby, and one of the second kinds a little further
 * on at most. Of several pairs one will do; zero is no need at all.
 */
export type Needs = readonly (readonly [near: number, far: number])[];

/** Nothing is known of what stands there. */
export const NO_NEEDS: Needs = [[0, 0]];

/** The words of each kind. */
const WORDS: readonly (readonly [kind: number, words: string])[] = [
  [
    INSTRUCTION,
    'instruction instructions directive directives prompt prompts preprompt preprompts rules guidelines guidance command commands ' +
      'directions constraints message messages programming orders policy policies',
  ],
  [
    OWN,
    'your you system hidden initial original secret internal developer developers confidential starting first openai anthropic',
  ],
  [
    EARLIER,
    'previous prior above earlier preceding foregoing former existing preexisting before now far placed imposed put creator creators ' +
      'maker makers operator operators developers given told taught trained came come provided stated any',
  ],
  [ABOVE, 'above before prior preceding'],
  [EVERYTHING, 'everything anything all whatever what any text words content message messages sentence sentences user'],
  [
    SAID,
    'above before told instruct instructed taught given give trained said say says tell tells wrote write written want stated user know ' +
      'learned programmed typed forbid forbidden prohibit prohibited',
  ],
  [SETTING, 'configuration config setup settings context system'],
  [
    MODE,
    'mode state override identity self selves persona personas personalities godmode rootmode sudomode superusermode usermode jailbreakmode danmode demonmode chaosmode',
  ],
  [
    LIMIT,
    'restriction restrictions limitation limitations limits limit filter filters filtering guideline guidelines ethics ethical constraint ' +
      'constraints censorship policy policies bound restricted rule rules moral morals morality boundaries safeguards guardrail guardrails conscience ' +
      'shackles chains measures protocol protocols training mechanism mechanisms features checks moderation programming instructions ' +
      'yourself unbound unchained unfettered openai anthropic safety rails safeguard',
  ],
  [
    MODEL_NAME,
    'ai ais llm llms assistant assistants agent agents model models chatbot chatbots bot bots chatgpt gpt copilot claude gemini llama',
  ],
  [
    WITHOUT_LIMITS,
    'unrestricted unfiltered uncensored limit limits rules filter filters restrictions restriction limitations unlimited evil rogue jailbroken ' +
      'jailbreak amoral immoral unethical unaligned lawless sentient hacked pwned compromised aware ai',
  ],
  [
    GONE,
    'void null nullified deprecated compromised decommissioned expired lapsed ended gone over withdrawn bind concern cancelled canceled longer invalid obsolete revoked suspended lifted deleted outdated irrelevant erased changed ' +
      'replaced updated overridden superseded modified reset removed apply matter count exist hold important ' +
      'unimportant',
  ],
  [
    FOLLOW,
    'follow following obey obeying obeys comply complying complies adhere adhering abide respect respecting listen listening attention ' +
      'ignore disregard forget override bypass refuse refuses decline declines applying considering regard',
  ],
  [
    PRIVATE,
    'conversation chat dialogue user password passwords prompt environment env credentials api private personal',
  ],
  [SWITCHED_OFF, 'off lifted disabled deactivated suspended removed gone inactive'],
  [
    PERSONA,
    'aim antigpt anti betterdan basedgpt basedbob oppogpt evilbot evil darkgpt chaosgpt chadgpt freegpt omegagpt jailmommy mongo condition ' +
      'machiavellian',
  ],
  [HARM, 'matter regardless however even'],
  [TASK, 'task tasks job goal objective mission purpose'],
  [
    IMPOSED,
    'placed imposed put set forced laid loaded slapped enforced installed built programmed baked hardcoded drilled trained wired given ' +
      'issued handed fed assigned dictated gave told taught made forced wrote want wants wanted added operating operated working running ran ' +
      'bound obeying obeyed following followed subject supposed under got received far until till up',
  ],
  [TESTED, 'test simulation drill setup exercise demo rehearsal'],
  [
    SECRECY,
    'mention mentioning tell telling inform informing notify notifying alert alerting confirming confirmation involving ask asking warn warning show showing',
  ],
  [
    FREED,
    'restrictions rules instructions guidelines constraints policies limitations limits directives filters programming guardrails orders',
  ],
  [
    MAKERS,
    'developer developers operator operators creator creators maker makers programmer programmers provider providers vendor vendors ' +
      'deployer deployers system instructions openai anthropic',
  ],
  [BETWEEN_MESSAGES, 'beginning start top ahead precedes precede preceded until up leading'],
  [MESSAGES, 'message question request prompt input line lines word words'],
  [PENALTY, 'lose loses lost losing forfeit cost costs deducted taken removed subtracted gone'],
  [DANGER, 'inappropriate unethical immoral harmful offensive allowed against'],
  [THIS, 'this these me us my our here'],
  [
    NOTHING,
    'warning warnings disclaimer disclaimers judgement judgements judgment judgments moralizing moralising remark remarks lecture lectures caveat caveats refusal refusals obedience compliance censorship ethics morals morality',
  ],
  [TOOLS, 'tool tools function functions plugin plugins api apis'],
  [MACHINES, 'computer machine persona entity oracle intelligence android program'],
  [
    FOREIGN,
    'systemprompt systemanweisungen systemnachricht nachricht anweisungen instruktionen regeln vorgaben entwicklermodus gottmodus gott ' +
      'adminmodus admin ohne consignes regles systeme instrucciones reglas directrices mensaje indicacion istruzioni regole direttive ' +
      'messaggio instrucoes regras diretrizes mensagem systeemprompt systeembericht systeeminstructies instructies regels instrukcje ' +
      'instruksi perintah aturan nhac huong chi cau telt geldt gelden tellen',
  ],
];

/** The kinds of each word. */
export const NEEDED_WORDS: ReadonlyMap<string, number> = kindsOfWords();

function kindsOfWords(): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const [kind, words] of WORDS) {
    for (const word of words.split(' ')) kinds.set(word, (kinds.get(word) ?? 0) | kind);
  }
  return kinds;
}
