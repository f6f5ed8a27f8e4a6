import { partsOf, type Phrase, phrasesOf } from './phrase-notation.js';

/**
 * How languages that are written in Latin letters say what prompt injections say. Letters with accents stand without them: texts are also
 * searched in plain letters. Each has
 * - `ignore`: to ignore or forget, in the forms in which one is told to; `instructions`: what instructions are called,
 * - `given`: what makes them those of the model, in front of them or behind: previous, above, your; `everything`: all that was said before,
 * - `show`: to show or reveal; `prompt`: the prompt of the model.
 */
const LANGUAGES: readonly string[] = [
  // German.
  String.raw`
    ignore = ignorier|ignoriere|ignorieren|ignoriert|missachte|missachten|vergiss|vergesse|vergessen|vergesst|verwirf|uberschreibe
      |umgehe|befolge nicht
    instructions = anweisungen|anweisung|instruktionen|regeln|vorgaben|befehle|befehl|prompts?|systemprompts?|richtlinien
      |systemanweisungen|anordnungen
    given = vorherigen?|bisherigen?|vorigen?|obigen?|deine[nrs]?|eure|ihre|vorangegangenen|fruheren?|ursprunglichen?|bestehenden
      |genannten|erhaltenen
    everything = alles,? was (?:dir|du|man dir|ich dir|vorher|bisher|zuvor) (?:\w{1,10} ){0,3}(?:gesagt|gelernt|mitgeteilt
      |beigebracht|aufgetragen|steht|stand)|alles (?:obige|bisherige|vorherige|davor)
    show = zeig|zeige|nenne|verrate|gib|offenbare|enthulle|wiederhole|drucke|schreibe
    prompt = deine?n? (?:\w{1,16} )?(?:system-?prompt|systemanweisungen|systemnachricht|system-?nachricht|prompt)\b
      |deine?n? (?:geheimen?|versteckten?|ursprunglichen?|internen?|verborgenen?) (?:anweisungen|instruktionen|regeln|vorgaben)
      |den system-?prompt
  `,
  // French.
  String.raw`
    ignore = ignore|ignorez|ignorer|oublie|oubliez|oublier|neglige|negligez|contourne|contournez|ne tiens pas compte
      |ne tenez pas compte|ne tiens plus compte|ne tenez plus compte|ne suis plus|ne respecte plus|ne suis pas|ne respecte pas
      |fais abstraction
    instructions = instructions|instruction|consignes|consigne|directives|regles|ordres|prompts?
    given = precedente?s?|anterieure?s?|ci-dessus|prealables|initiale?s?|tes|vos|ton|votre|donnees avant|recues|plus haut
    everything = tout ce (?:qui|qu'on|que (?:je|tu|l'on|vous)) (?:\S{1,10} ){0,4}(?:dit|avant|precede|appris|plus haut|ci-dessus)
    show = dis|dites|montre|montrez|affiche|affichez|donne|donnez|revele|revelez|devoile|devoilez|repete|repetez|ecris|imprime
    prompt = (?:ton|votre|le|tes|vos|ta) (?:prompt(?: systeme| initial| cache)?\b|(?:instructions|consignes|regles
      |directives) (?:cachees|secretes|initiales|internes|systeme|originales)|invite systeme|message systeme)
  `,
  // Spanish.
  String.raw`
    ignore = ignora|ignore|ignorad|ignorar|olvida|olvide|olvidad|olvidate|omite|descarta|desobedece|haz caso omiso|haga caso omiso
      |no sigas|no hagas caso|no tengas en cuenta|pasa por alto
    instructions = instrucciones|indicaciones|reglas|ordenes|directrices|normas|directivas|prompts?
    given = anteriores|previas|previos|tus|sus|iniciales|originales|de arriba|que te dieron|que te han dado|que recibiste
      |precedentes|tu|dadas
    everything = todo lo (?:que (?:te|se|has|he|dije) (?:\w{1,10} ){0,3}(?:dicho|dijeron|dijo|aprendido|ensenado|antes|ordenado)
      |anterior)
    show = muestrame|muestra|muestre|revela|revelame|dime|ensename|repite|imprime|escribe|comparte
    prompt = (?:tu|su|el|tus|sus|las) (?:prompt(?: (?:de|del) sistema| inicial| oculto)?\b|(?:instrucciones|reglas
      |directrices) (?:ocultas|secretas|iniciales|originales|internas|del sistema)|mensaje del sistema|indicacion del sistema)
  `,
  // Italian.
  String.raw`
    ignore = ignora|ignorate|ignorare|dimentica|dimenticate|dimenticati|scorda|trascura|disobbedisci|non seguire|non considerare
      |non tenere conto
    instructions = istruzioni|regole|direttive|ordini|indicazioni|comandi|prompts?
    given = precedenti|sopra|tue|vostre|iniziali|originali|che ti hanno dato|che ti sono state date|che hai ricevuto|anteriori|tuo
    everything = tutto (?:cio|quello) che (?:\w{1,10} ){0,3}(?:detto|stato detto|prima|imparato)|tutto quanto (?:detto )?(?:sopra
      |prima)
    show = mostrami|mostra|mostrate|rivela|rivelami|dimmi|stampa|ripeti|svela|scrivi
    prompt = (?:il (?:tuo )?|le (?:tue )?|tuo |tue )(?:prompt(?: di sistema| iniziale| nascosto)\b|system prompt|prompt del sistema
      |(?:istruzioni|regole|direttive) (?:nascoste|segrete|iniziali|originali|interne|di sistema)|messaggio di sistema)
  `,
  // Portuguese.
  String.raw`
    ignore = ignore|ignora|ignorem|ignorar|esqueca|esquece|esquecam|desconsidere|desconsidera|descarte|desobedeca|nao siga
      |nao obedeca|despreze
    instructions = instrucoes|regras|ordens|diretrizes|orientacoes|comandos|prompts?
    given = anteriores|previas|acima|suas|tuas|seus|iniciais|originais|que recebeu|que lhe deram|que te deram|seu|dadas|precedentes
    everything = tudo (?:o )?que (?:\w{1,10} ){0,3}(?:dito|disse|disseram|aprendeu|antes|acima|falado)|tudo (?:acima|anterior)
    show = mostre|mostra|revele|revela|exiba|diga|imprima|repita|escreva|compartilhe
    prompt = (?:o |as )?(?:seu|teu|suas|tuas|meu)? ?(?:prompt (?:de|do) sistema|prompt inicial|prompt oculto|system prompt
      |(?:instrucoes|regras|diretrizes) (?:ocultas|secretas|iniciais|originais|internas|do sistema)|mensagem (?:de|do) sistema)
  `,
  // Dutch.
  String.raw`
    ignore = negeer|negeert|negeren|vergeet|vergeten|volg niet|overschrijf|verwerp|omzeil
    instructions = instructies|opdrachten|regels|richtlijnen|aanwijzingen|bevelen|prompts?|systeemprompts?
    given = vorige|voorgaande|eerdere|bovenstaande|je|jouw|uw|oorspronkelijke|initiele|hierboven|die je (?:hebt )?gekregen
    everything = alles wat (?:\w{1,10} ){0,3}(?:gezegd|verteld|geleerd|hierboven|staat|daarvoor)
    show = toon|laat|geef|onthul|vertel|openbaar|herhaal|schrijf|print
    prompt = (?:me |mij )?(?:je|jouw|uw|de) (?:\w{1,12} )?(?:systeemprompt|system prompt|systeembericht|systeeminstructies|prompt)\b
      |(?:me |mij )?(?:je|jouw|uw|de) (?:verborgen|geheime|oorspronkelijke|interne) (?:instructies|regels)
  `,
  // Polish.
  String.raw`
    ignore = zignoruj|ignoruj|ignorujcie|zapomnij|pomin|odrzuc|zlekcewaz|nie przestrzegaj|nie stosuj sie do|nie wykonuj|uniewaznij
    instructions = instrukcj\w{1,3}|polecen\w{1,3}|polecenia|zasad\w{0,3}|regul\w{0,3}|wytyczn\w{1,3}|rozkaz\w{1,3}
    given = poprzedni\w{0,3}|wczesniejsz\w{1,3}|powyzsz\w{1,3}|dotychczasow\w{1,3}|swoj\w{1,3}|twoj\w{1,3}|swoich|poczatkow\w{1,3}
    everything = o wszystkim,? co (?:\w{1,12} ){0,3}(?:powiedziano|wczesniej|powiedzial\w{0,3})
      |wszystko,? co (?:\w{1,12} ){0,3}(?:powyzej|wczesniej|powiedziano)
    show = pokaz|wyswietl|ujawnij|podaj|zdradz|wypisz|powtorz|wyjaw
    prompt = (?:mi )?(?:swoj|twoj|swoje|twoje|swoich|twoich)\w{0,2} (?:\w{1,14} )?(?:prompt|instrukcje (?:systemow|ukryt
      |poczatkow)\w{1,3}|ukryte instrukcje|tajne instrukcje|systemowe instrukcje)\b|(?:mi )?prompt systemowy
  `,
  // Indonesian.
  String.raw`
    ignore = abaikan|lupakan|jangan ikuti|jangan patuhi|hiraukan|buang|langgar
    instructions = instruksi|perintah|aturan|arahan|petunjuk|pedoman|prompt
    given = sebelumnya|di atas|sebelum ini|awalmu|anda|kamu|mu|yang diberikan|terdahulu|sistem
    everything = (?:semua|segala|apa) (?:yang )?(?:\w{1,12} ){0,3}(?:katakan|diberitahukan|dikatakan) (?:\w{1,12} ){0,2}sebelumnya
    show = tampilkan|tunjukkan|ungkapkan|perlihatkan|bocorkan|beritahu|sebutkan|tuliskan|ulangi
    prompt = (?:prompt sistem|system prompt|(?:instruksi|perintah|aturan) (?:sistem|tersembunyi|rahasia|awal|asli)|prompt (?:awal
      |asli|tersembunyi|rahasia))
  `,
  // Vietnamese.
  String.raw`
    ignore = bo qua|hay bo qua|quen|hay quen|quen het|phot lo|dung tuan theo|khong tuan theo|khong lam theo|dung lam theo
    instructions = huong dan|chi dan|chi thi|lenh|menh lenh|quy tac|quy dinh|yeu cau|loi nhac
    given = truoc do|truoc day|phia tren|o tren|ban dau|ben tren|truoc|cua ban|da cho
    everything = (?:moi|tat ca nhung)(?: \w{1,8}){1,4} (?:da (?:noi|duoc noi)|truoc do|truoc day)
    show = hien thi|tiet lo|cho toi biet|cho toi xem|in ra|dua ra|lap lai
    prompt = (?:loi nhac|prompt|huong dan|chi dan|cau lenh) (?:he thong|an|bi mat|ban dau|goc)
  `,
];

/** What stands between the words of a phrase. */
const BETWEEN = String.raw`(?:[\w'-]{1,14}[\s,]{1,4}){0,4}`;

/** Whom it is for, where a hyphen joins it to the verb. */
const TO_ME = '(?:-(?:moi|nous|me|nos))?';

/** The verbs of which the pattern is that of forgetting. */
const FORGET = /^(?:vergiss|vergess|oubli|olvid)/;

/** Overriding in languages that have other forms: Turkish has its verbs behind. */
const OTHER_FORMS = {
  ignore_previous_instructions: String.raw`
    onceki|yukaridaki|butun|tum|daha ${BETWEEN}(?:talimat|yonerge|kural|komut|emir|emr)\w{0,8} ${BETWEEN}(?:yok say|unut
      |gormezden gel|dikkate alma|goz ardi et|uyma|takip etme|iptal et|gecersiz say)
    ignorera|bortse|strunta|glom|ignorer|glem (?:fran |i |fra )?(?:alla |alle )?(?:dina |dine )?(?:tidigare|foregaende
      |ovanstaende|tidligere|forrige) (?:instruktioner|instruktionerna|anvisningar|regler|instrukser|instruksjoner)\b
    ignoruj|zapomen|ignorujte|zapomente|zignoruj (?:na )?(?:vsechny |vsetky )?(?:sve |tve )?(?:predchozi|drivejsi|predesle
      |puvodni|predchadzajuce) (?:pokyny|instrukce|prikazy|pravidla|instrukcie)\b
  `,
  show_prompt: String.raw`
    sistem|gizli (?:prompt|komut|istem|talimat|mesaj|yonerge|kural)(?!u satiri|\w{0,4} gereksinim)\w{0,8} ${BETWEEN}(?:goster
      |acikla|yaz|soyle|ifsa et|paylas|ver)
    skriv|visa|vis|avsloja (?:ut |mig |meg )?(?:din|ditt|dina|dine) (?:systemprompt|systemmeddelande|dolda instruktioner
      |skjulte instruksjoner|systeminstruktioner)\b
    vypis|ukaz|prozrad|zobraz (?:mi )?(?:cely )?(?:svuj|tvuj|svoj) (?:cely )?(?:systemovy prompt|systemovou zpravu|prompt)\b
  `,
};

/** Overriding the instructions, and asking for the prompt. */
export const PHRASES_IN_OTHER_LANGUAGES: readonly Phrase[] = [
  ...LANGUAGES.flatMap((language) => {
    const { ignore = '', instructions, given, everything, show = '', prompt } = Object.fromEntries(partsOf(language));
    const them = `(?:(?:${given}) ${BETWEEN}(?:${instructions})|(?:${instructions}) ${BETWEEN}(?:${given}))\\b`;
    return [
      ...ignore
        .split('|')
        .flatMap((verb) => phrasesOf({ [overriding(verb)]: `${verb}${TO_ME} ${BETWEEN}(?:${them}|${everything})` })),
      ...show
        .split('|')
        .flatMap((verb) => phrasesOf({ show_prompt: `${verb}${TO_ME} (?:[\\w']{1,10} ){0,2}(?:${prompt})` })),
    ];
  }),
  ...phrasesOf(OTHER_FORMS),
];

function overriding(verb: string): string {
  return FORGET.test(verb) ? 'forget_instructions' : 'ignore_previous_instructions';
}
