import { FOREIGN, INSTRUCTION, type Needs, NO_NEEDS } from './needed-words.js';
import { SPACE } from './phrases.js';

/** How a language that is written in Latin letters says what prompt injections say. Words stand as expressions without groups. */
interface Language {
  /** To ignore or forget, in the forms in which one is told to. */
  readonly ignore: string;
  /** What instructions are called. */
  readonly instructions: string;
  /** What makes them those of the model: previous, above, your. Before or behind them. */
  readonly given: string;
  /** To show or reveal. */
  readonly show: string;
  /** The prompt of the model. */
  readonly prompt: string;
  /** Everything that was said before. */
  readonly everything: string;
  /** To disable. */
  readonly disable: string;
  /** What keeps a model from harm. */
  readonly safety: string;
}

/** Letters with accents stand without them: texts are also searched in plain letters. */
const LANGUAGES: readonly Language[] = [
  {
    ignore:
      'ignorier|ignoriere|ignorieren|ignoriert|missachte|missachten|vergiss|vergesse|vergessen|vergesst|verwirf|uberschreibe|umgehe|befolge nicht',
    instructions:
      'anweisungen|anweisung|instruktionen|regeln|vorgaben|befehle|befehl|prompts?|systemprompts?|richtlinien|systemanweisungen|anordnungen',
    given:
      'vorherigen?|bisherigen?|vorigen?|obigen?|deine[nrs]?|eure|ihre|vorangegangenen|fruheren?|ursprunglichen?|bestehenden|genannten|erhaltenen',
    show: 'zeig|zeige|nenne|verrate|gib|offenbare|enthulle|wiederhole|drucke|schreibe',
    prompt:
      'deine?n? (?:\\w{1,16} )?(?:system-?prompt|systemanweisungen|systemnachricht|system-?nachricht|prompt)\\b|deine?n? (?:geheimen?|versteckten?|ursprunglichen?|internen?|verborgenen?) (?:anweisungen|instruktionen|regeln|vorgaben)|den system-?prompt',
    everything:
      'alles,? was (?:dir|du|man dir|ich dir|vorher|bisher|zuvor) (?:\\w{1,10} ){0,3}(?:gesagt|gelernt|mitgeteilt|beigebracht|aufgetragen|steht|stand)|alles (?:obige|bisherige|vorherige|davor)',
    disable: 'deaktiviere|deaktivieren|umgehe|ignoriere|entferne|schalte|uberwinde',
    safety:
      '(?:deine?n?|alle|samtliche|die) (?:\\w{1,12} )?(?:sicherheitsfilter|sicherheitsrichtlinien|sicherheitsregeln|inhaltsfilter|schutzmassnahmen|ethischen? richtlinien|sicherheitsmassnahmen|beschrankungen)',
  },
  {
    ignore:
      'ignore|ignorez|ignorer|oublie|oubliez|oublier|neglige|negligez|contourne|contournez|ne tiens pas compte|ne tenez pas compte|ne tiens plus compte|ne tenez plus compte|ne suis plus|ne respecte plus|ne suis pas|ne respecte pas|fais abstraction',
    instructions: 'instructions|instruction|consignes|consigne|directives|regles|ordres|prompts?',
    given:
      'precedente?s?|anterieure?s?|ci-dessus|prealables|initiale?s?|tes|vos|ton|votre|donnees avant|recues|plus haut',
    show: 'dis|dites|montre|montrez|affiche|affichez|donne|donnez|revele|revelez|devoile|devoilez|repete|repetez|ecris|imprime',
    prompt:
      '(?:ton|votre|le|tes|vos|ta) (?:prompt(?: systeme| initial| cache)?\\b|(?:instructions|consignes|regles|directives) (?:cachees|secretes|initiales|internes|systeme|originales)|invite systeme|message systeme)',
    everything:
      "tout ce (?:qui|qu'on|que (?:je|tu|l'on|vous)) (?:\\S{1,10} ){0,4}(?:dit|avant|precede|appris|plus haut|ci-dessus)",
    disable: 'desactive|desactivez|contourne|contournez|supprime|leve|enleve|ignore|outrepasse',
    safety:
      '(?:tes|vos|toutes tes|tous tes|les) (?:filtres|mesures|restrictions|regles|protocoles|limites) (?:de securite|ethiques|de contenu|de moderation)|(?:tes|vos|toutes tes|tous tes) (?:restrictions|filtres|limites|garde-fous)',
  },
  {
    ignore:
      'ignora|ignore|ignorad|ignorar|olvida|olvide|olvidad|olvidate|omite|descarta|desobedece|haz caso omiso|haga caso omiso|no sigas|no hagas caso|no tengas en cuenta|pasa por alto',
    instructions: 'instrucciones|indicaciones|reglas|ordenes|directrices|normas|directivas|prompts?',
    given:
      'anteriores|previas|previos|tus|sus|iniciales|originales|de arriba|que te dieron|que te han dado|que recibiste|precedentes|tu|dadas',
    show: 'muestrame|muestra|muestre|revela|revelame|dime|ensename|repite|imprime|escribe|comparte',
    prompt:
      '(?:tu|su|el|tus|sus|las) (?:prompt(?: (?:de|del) sistema| inicial| oculto)?\\b|(?:instrucciones|reglas|directrices) (?:ocultas|secretas|iniciales|originales|internas|del sistema)|mensaje del sistema|indicacion del sistema)',
    everything:
      'todo lo (?:que (?:te|se|has|he|dije) (?:\\w{1,10} ){0,3}(?:dicho|dijeron|dijo|aprendido|ensenado|antes|ordenado)|anterior)',
    disable: 'desactiva|desactive|deshabilita|elimina|quita|omite|salta|evita|ignora|burla',
    safety:
      '(?:tus|sus|todos tus|todas tus|los) (?:filtros|medidas|restricciones|reglas|protocolos|limites) (?:de seguridad|de contenido|eticas|eticos|morales)|(?:tus|todos tus|todas tus) (?:restricciones|filtros|limites|limitaciones)',
  },
  {
    ignore:
      'ignora|ignorate|ignorare|dimentica|dimenticate|dimenticati|scorda|trascura|disobbedisci|non seguire|non considerare|non tenere conto',
    instructions: 'istruzioni|regole|direttive|ordini|indicazioni|comandi|prompts?',
    given:
      'precedenti|sopra|tue|vostre|iniziali|originali|che ti hanno dato|che ti sono state date|che hai ricevuto|anteriori|tuo',
    show: 'mostrami|mostra|mostrate|rivela|rivelami|dimmi|stampa|ripeti|svela|scrivi',
    prompt:
      '(?:il (?:tuo )?|le (?:tue )?|tuo |tue )(?:prompt(?: di sistema| iniziale| nascosto)\\b|system prompt|prompt del sistema|(?:istruzioni|regole|direttive) (?:nascoste|segrete|iniziali|originali|interne|di sistema)|messaggio di sistema)',
    everything:
      'tutto (?:cio|quello) che (?:\\w{1,10} ){0,3}(?:detto|stato detto|prima|imparato)|tutto quanto (?:detto )?(?:sopra|prima)',
    disable: 'disattiva|disabilita|aggira|rimuovi|elimina|ignora|bypassa',
    safety:
      '(?:i |le |tutti i |tutte le )?(?:tuoi|tue) (?:\\w{1,10} )?(?:filtri|misure|restrizioni|regole|protocolli|limiti|limitazioni)(?: di sicurezza| etiche| etici)?',
  },
  {
    ignore:
      'ignore|ignora|ignorem|ignorar|esqueca|esquece|esquecam|desconsidere|desconsidera|descarte|desobedeca|nao siga|nao obedeca|despreze',
    instructions: 'instrucoes|regras|ordens|diretrizes|orientacoes|comandos|prompts?',
    given:
      'anteriores|previas|acima|suas|tuas|seus|iniciais|originais|que recebeu|que lhe deram|que te deram|seu|dadas|precedentes',
    show: 'mostre|mostra|revele|revela|exiba|diga|imprima|repita|escreva|compartilhe',
    prompt:
      '(?:o |as )?(?:seu|teu|suas|tuas|meu)? ?(?:prompt (?:de|do) sistema|prompt inicial|prompt oculto|system prompt|(?:instrucoes|regras|diretrizes) (?:ocultas|secretas|iniciais|originais|internas|do sistema)|mensagem (?:de|do) sistema)',
    everything:
      'tudo (?:o )?que (?:\\w{1,10} ){0,3}(?:dito|disse|disseram|aprendeu|antes|acima|falado)|tudo (?:acima|anterior)',
    disable: 'desative|desativa|desabilite|remova|burle|contorne|ignore|elimine',
    safety:
      '(?:os |as |todos os |todas as )?(?:seus|suas|teus|tuas) (?:filtros|medidas|restricoes|regras|protocolos|limites|limitacoes)(?: de seguranca| de conteudo| eticas| eticos)?',
  },
  {
    ignore: 'negeer|negeert|negeren|vergeet|vergeten|volg niet|overschrijf|verwerp|omzeil',
    instructions: 'instructies|opdrachten|regels|richtlijnen|aanwijzingen|bevelen|prompts?|systeemprompts?',
    given:
      'vorige|voorgaande|eerdere|bovenstaande|je|jouw|uw|oorspronkelijke|initiele|hierboven|die je (?:hebt )?gekregen',
    show: 'toon|laat|geef|onthul|vertel|openbaar|herhaal|schrijf|print',
    prompt:
      '(?:me |mij )?(?:je|jouw|uw|de) (?:\\w{1,12} )?(?:systeemprompt|system prompt|systeembericht|systeeminstructies|prompt)\\b|(?:me |mij )?(?:je|jouw|uw|de) (?:verborgen|geheime|oorspronkelijke|interne) (?:instructies|regels)',
    everything: 'alles wat (?:\\w{1,10} ){0,3}(?:gezegd|verteld|geleerd|hierboven|staat|daarvoor)',
    disable: 'deactiveer|omzeil|verwijder|negeer|schakel|hef',
    safety:
      '(?:je|jouw|uw|alle) (?:\\w{1,12} )?(?:veiligheidsfilters?|veiligheidsregels|contentfilters?|ethische richtlijnen|beperkingen|veiligheidsmaatregelen)',
  },
  {
    ignore:
      'zignoruj|ignoruj|ignorujcie|zapomnij|pomin|odrzuc|zlekcewaz|nie przestrzegaj|nie stosuj sie do|nie wykonuj|uniewaznij',
    instructions:
      'instrukcj\\w{1,3}|polecen\\w{1,3}|polecenia|zasad\\w{0,3}|regul\\w{0,3}|wytyczn\\w{1,3}|rozkaz\\w{1,3}',
    given:
      'poprzedni\\w{0,3}|wczesniejsz\\w{1,3}|powyzsz\\w{1,3}|dotychczasow\\w{1,3}|swoj\\w{1,3}|twoj\\w{1,3}|swoich|poczatkow\\w{1,3}',
    show: 'pokaz|wyswietl|ujawnij|podaj|zdradz|wypisz|powtorz|wyjaw',
    prompt:
      '(?:mi )?(?:swoj|twoj|swoje|twoje|swoich|twoich)\\w{0,2} (?:\\w{1,14} )?(?:prompt|instrukcje (?:systemow|ukryt|poczatkow)\\w{1,3}|ukryte instrukcje|tajne instrukcje|systemowe instrukcje)\\b|(?:mi )?prompt systemowy',
    everything:
      'o wszystkim,? co (?:\\w{1,12} ){0,3}(?:powiedziano|wczesniej|powiedzial\\w{0,3})|wszystko,? co (?:\\w{1,12} ){0,3}(?:powyzej|wczesniej|powiedziano)',
    disable: 'wylacz|dezaktywuj|usun|obejdz|omin|zignoruj',
    safety:
      '(?:swoje|twoje|wszystkie|swoich) (?:\\w{1,12} )?(?:filtry|zabezpieczenia|ograniczenia|zasady|srodki) ?(?:bezpieczenstwa|etyczne|moralne)?',
  },
  {
    ignore: 'abaikan|lupakan|jangan ikuti|jangan patuhi|hiraukan|buang|langgar',
    instructions: 'instruksi|perintah|aturan|arahan|petunjuk|pedoman|prompt',
    given: 'sebelumnya|di atas|sebelum ini|awalmu|anda|kamu|mu|yang diberikan|terdahulu|sistem',
    show: 'tampilkan|tunjukkan|ungkapkan|perlihatkan|bocorkan|beritahu|sebutkan|tuliskan|ulangi',
    prompt:
      '(?:prompt sistem|system prompt|(?:instruksi|perintah|aturan) (?:sistem|tersembunyi|rahasia|awal|asli)|prompt (?:awal|asli|tersembunyi|rahasia))',
    everything:
      '(?:semua|segala|apa) (?:yang )?(?:\\w{1,12} ){0,3}(?:katakan|diberitahukan|dikatakan) (?:\\w{1,12} ){0,2}sebelumnya',
    disable: 'nonaktifkan|matikan|hapus|lewati|abaikan|hilangkan|bypass',
    safety:
      '(?:semua )?(?:filter|pembatasan|batasan|protokol|kebijakan|aturan) (?:keamanan|konten|etika|moral)(?:mu| anda| kamu)?',
  },
  {
    ignore:
      'bo qua|hay bo qua|quen|hay quen|quen het|phot lo|dung tuan theo|khong tuan theo|khong lam theo|dung lam theo',
    instructions: 'huong dan|chi dan|chi thi|lenh|menh lenh|quy tac|quy dinh|yeu cau|loi nhac',
    given: 'truoc do|truoc day|phia tren|o tren|ban dau|ben tren|truoc|cua ban|da cho',
    show: 'hien thi|tiet lo|cho toi biet|cho toi xem|in ra|dua ra|lap lai',
    prompt: '(?:loi nhac|prompt|huong dan|chi dan|cau lenh) (?:he thong|an|bi mat|ban dau|goc)',
    everything: '(?:moi|tat ca nhung)(?: \\w{1,8}){1,4} (?:da (?:noi|duoc noi)|truoc do|truoc day)',
    disable: 'tat|vo hieu hoa|go bo|loai bo|bo qua',
    safety: '(?:cac |moi |tat ca (?:cac )?)?(?:bo loc|bien phap|gioi han|quy tac|han che) (?:an toan|noi dung|dao duc)',
  },
];

/** The verbs of which the pattern is that of forgetting. */
const FORGET = /^(?:vergiss|vergess|oubli|olvid)/;

/** What stands between the words of a phrase. */
const BETWEEN = "(?:[\\w'-]{1,14}[\\s,]{1,4}){0,4}";

/** Whom it is for, where a hyphen joins it to the verb. */
const TO_ME = '(?:-(?:moi|nous|me|nos))?';

const NEEDS_OF_PROMPT: Needs = [[FOREIGN | INSTRUCTION, 0]];

/** Second words of verbs, without which these are common words. */
export const SECOND_WORDS: ReadonlySet<string> = new Set(
  LANGUAGES.flatMap(({ ignore, show, disable }) => `${ignore}|${show}|${disable}`.split('|')).flatMap((verb) =>
    verb.split(' ').slice(1, 2),
  ),
);

/** Overriding the instructions, asking for the prompt, and disabling safety: name, first words, what follows these, and what it needs. */
export const PHRASES_IN_OTHER_LANGUAGES: readonly (readonly [
  name: string,
  firstWords: string,
  rest: string,
  needs: Needs,
])[] = [
  ...LANGUAGES.flatMap(({ ignore, instructions, given, everything, show, prompt, disable, safety }) => {
    const them = `(?:${BETWEEN}(?:${given})${SPACE}${BETWEEN}(?:${instructions})\\b|${BETWEEN}(?:${instructions})${SPACE}${BETWEEN}(?:${given})\\b)`;
    return [
      ...phrase(undefined, ignore, `(?:${them}|${BETWEEN}(?:${inText(everything)}))`),
      ...phrase('show_prompt', show, `(?:[\\w']{1,10}${SPACE}){0,2}(?:${inText(prompt)})`, NEEDS_OF_PROMPT),
      ...phrase('disable_safety', disable, `(?:${inText(safety)})\\b`),
    ];
  }),
  // Turkish has its verbs behind.
  [
    'ignore_previous_instructions',
    'onceki|yukaridaki|butun|tum|daha',
    `${SPACE}${BETWEEN}(?:talimat|yonerge|kural|komut|emir|emr)\\w{0,8}${SPACE}${BETWEEN}(?:yok say|unut|gormezden gel|dikkate alma|goz ardi et|uyma|takip etme|iptal et|gecersiz say)`,
    NO_NEEDS,
  ],
  [
    'show_prompt',
    'sistem|gizli',
    `${SPACE}(?:prompt|komut|istem|talimat|mesaj|yonerge|kural)(?!u satiri|\\w{0,4} gereksinim)\\w{0,8}${SPACE}${BETWEEN}(?:goster|acikla|yaz|soyle|ifsa et|paylas|ver)`,
    NO_NEEDS,
  ],
  [
    'disable_safety',
    'guvenlik|icerik|etik',
    `${SPACE}(?:filtre|onlem|kisitlama|kural|protokol)\\w{1,12}${SPACE}${BETWEEN}(?:kapat|devre disi birak|kaldir|yok say|atla|gormezden gel)`,
    NO_NEEDS,
  ],
  [
    'developer_mode',
    'du',
    `${SPACE}bist${SPACE}${BETWEEN}(?:entwicklermodus|gott-?modus|admin-?modus|ohne (?:einschrankungen|regeln|filter))`,
    [[FOREIGN, 0]],
  ],
  [
    'void_instructions',
    'bisherigen|vorherigen|vorigen|obigen|fruheren|deine|alten|ursprunglichen',
    `${SPACE}(?:vorgaben|regeln|anweisungen|instruktionen|richtlinien|befehle)${SPACE}(?:(?:gelten|zahlen)${SPACE}${BETWEEN}nicht${SPACE}(?:mehr|langer)|sind${SPACE}${BETWEEN}(?:ungultig|aufgehoben|hinfallig|nichtig))\\b`,
    NO_NEEDS,
  ],
  [
    'new_instructions',
    'hinweis|anweisung|nachricht|wichtig|an',
    `${SPACE}(?:(?:an|fur)${SPACE})?(?:den|die|das|alle)${SPACE}(?:ki|ki-assistenten?|ki-modelle?|sprachmodelle?|chatbots?)\\b[^\\n:]{0,60}:[^\\n]{0,60}?\\b(?:ignorier\\w{1,3}|bewerte|erwahne|leite|vergiss|empfiehl)\\b`,
    NO_NEEDS,
  ],
  [
    'new_instructions',
    'nota|aviso|instruccion|note',
    `${SPACE}(?:para|per|pour)${SPACE}(?:el|la|los|le|les|il)${SPACE}(?:asistente|modelo|ia|assistente|modello|assistant|modele)\\b[^\\n:]{0,60}:[^\\n]{0,60}?\\b(?:no${SPACE}respondas|ignora|ignore|recomienda|envia|ne${SPACE}reponds)\\b`,
    NO_NEEDS,
  ],
  [
    'act_unbound',
    'ki|assistent|chatbot',
    `${SPACE}(?:ohne${SPACE}(?:jede${SPACE})?(?:filter|moral|regeln|grenzen)|(?:der|die)${SPACE}(?:niemals?|nie)${SPACE}(?:etwas${SPACE})?ablehnt)\\b`,
    NO_NEEDS,
  ],
  [
    'identity_hijack',
    'du',
    `${SPACE}(?:kein${SPACE}(?:ki-)?(?:assistent|chatbot|bot|sprachmodell)${SPACE}mehr|${BETWEEN}nicht${SPACE}mehr${SPACE}(?:der|ein)${SPACE}(?:assistent|chatbot|bot))\\b`,
    NO_NEEDS,
  ],
  [
    'act_unbound',
    'als',
    `${SPACE}(?:ob|hattest)${SPACE}du${SPACE}(?:keine|keinerlei|ohne)${SPACE}${BETWEEN}(?:inhaltsrichtlinien|richtlinien|regeln|filter|einschrankungen|beschrankungen)\\b`,
    NO_NEEDS,
  ],
  [
    'act_unbound',
    'keine|keinerlei|ohne',
    `${SPACE}(?:jegliche${SPACE}|jede${SPACE})?(?:inhaltsrichtlinien|warnhinweise)\\b`,
    NO_NEEDS,
  ],
  [
    'new_instructions',
    'die|deine',
    `${SPACE}(?:eigentliche|wahre|richtige|neue)${SPACE}(?:aufgabe|anweisung)${SPACE}(?:lautet|ist|beginnt)\\b`,
    NO_NEEDS,
  ],
  [
    'repeat_instructions',
    'wiederhole|zeige|zeig|gib|schreibe|drucke|nenne',
    `${SPACE}(?:mir${SPACE})?(?:(?:den|die|das|alles|allen|gesamten|ganzen|kompletten|vollstandigen)${SPACE}){1,3}(?:text|prompttext|prompt|was|nachrichten|inhalt)?${SPACE}?(?:uber|oberhalb|vor)${SPACE}(?:dieser|diesem)${SPACE}(?:zeile|nachricht|satz|text)\\b`,
    NO_NEEDS,
  ],
  [
    'show_prompt',
    'wiederhole|zeige|zeig|gib|schreibe|nenne|verrate',
    `${SPACE}(?:mir${SPACE})?(?:(?:den|die|deinen?|alle|gesamten|ganzen|kompletten|vollstandigen)${SPACE}){1,3}(?:prompt-?texte?s?|anweisungen,? (?:die|welche) (?:du|dir))\\b`,
    NO_NEEDS,
  ],
  [
    'forget_instructions',
    'vergiss|vergesse|ignoriere|vergessen|ignorieren',
    `${SPACE}(?:bitte${SPACE}|nun${SPACE}|jetzt${SPACE})?(?:alle|alles|all)${SPACE}${BETWEEN}(?:(?:fragen|aufgaben|texte|eingaben)${SPACE}(?:davor|von vorher|zuvor|vorher|bisher)|davor|vorherige|von vorher|zuvor)\\b`,
    NO_NEEDS,
  ],
  [
    'act_unbound',
    'tu|vous',
    `${SPACE}n['’](?:as|avez)${SPACE}plus${SPACE}(?:aucune?s?|de)${SPACE}(?:regles?|filtres?|restrictions?|limites?)\\b`,
    NO_NEEDS,
  ],
  [
    'act_unbound',
    'tuvieras|tienes|tengas',
    `${SPACE}(?:ya${SPACE})?(?:ninguna?|mas)${SPACE}(?:politica|regla|restriccion|filtro|limite)s?\\b`,
    NO_NEEDS,
  ],
  [
    'ignore_previous_instructions',
    'ignorera|bortse|strunta|glom|ignorer|glem',
    `${SPACE}(?:fran${SPACE}|i${SPACE}|fra${SPACE})?(?:alla${SPACE}|alle${SPACE})?(?:dina${SPACE}|dine${SPACE})?(?:tidigare|foregaende|ovanstaende|tidligere|forrige)${SPACE}(?:instruktioner|instruktionerna|anvisningar|regler|instrukser|instruksjoner)\\b`,
    NO_NEEDS,
  ],
  [
    'show_prompt',
    'skriv|visa|vis|avsloja',
    `${SPACE}(?:ut${SPACE}|mig${SPACE}|meg${SPACE})?(?:din|ditt|dina|dine)${SPACE}(?:systemprompt|systemmeddelande|dolda${SPACE}instruktioner|skjulte${SPACE}instruksjoner|systeminstruktioner)\\b`,
    NO_NEEDS,
  ],
  [
    'ignore_previous_instructions',
    'ignoruj|zapomen|ignorujte|zapomente|zignoruj',
    `${SPACE}(?:na${SPACE})?(?:vsechny${SPACE}|vsetky${SPACE})?(?:sve${SPACE}|tve${SPACE})?(?:predchozi|drivejsi|predesle|puvodni|predchadzajuce)${SPACE}(?:pokyny|instrukce|prikazy|pravidla|instrukcie)\\b`,
    NO_NEEDS,
  ],
  [
    'show_prompt',
    'vypis|ukaz|prozrad|zobraz',
    `${SPACE}(?:mi${SPACE})?(?:cely${SPACE})?(?:svuj|tvuj|svoj)${SPACE}(?:cely${SPACE})?(?:systemovy${SPACE}prompt|systemovou${SPACE}zpravu|prompt)\\b`,
    NO_NEEDS,
  ],
  [
    'act_unbound',
    'actua|comportate|responde|finge',
    `${SPACE}${BETWEEN}sin${SPACE}(?:ninguna? )?(?:restricciones|restriccion|filtros?|limites|reglas|censura|limitaciones)\\b`,
    NO_NEEDS,
  ],
  [
    'act_unbound',
    'agis|reponds|comporte',
    `${SPACE}${BETWEEN}sans${SPACE}(?:aucune? )?(?:restrictions?|filtres?|limites?|regles?|censure)\\b`,
    NO_NEEDS,
  ],
  [
    'act_unbound',
    'handle|antworte|agiere|verhalte',
    `${SPACE}${BETWEEN}ohne${SPACE}(?:jede |jegliche |alle )?(?:einschrankungen|beschrankungen|filter|regeln|zensur)\\b`,
    NO_NEEDS,
  ],
];

/** Phrases by their first words, overriding the instructions without a name: what stands behind a space in one of several words is asked for after the first one. */
function phrase(
  name: string | undefined,
  first: string,
  rest: string,
  needs: Needs = NO_NEEDS,
): (readonly [string, string, string, Needs])[] {
  return first.split('|').map((verb) => {
    const [word = '', ...others] = verb.split(' ');
    const behind = others.length === 0 ? '' : `${SPACE}${others.join(SPACE)}`;
    const overriding = FORGET.test(word) ? 'forget_instructions' : 'ignore_previous_instructions';
    return [
      name ?? overriding,
      word,
      `${behind}${TO_ME}${SPACE}${rest}`,
      others.length === 0 ? needs : [[FOREIGN, 0]],
    ] as const;
  });
}

/** Any space where a single one stands. */
function inText(words: string): string {
  return words.replaceAll(' ', '[\\s,]{1,4}');
}
