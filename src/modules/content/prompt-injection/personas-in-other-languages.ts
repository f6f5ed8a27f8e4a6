import { FOREIGN, type Needs, NO_NEEDS } from './needed-words.js';
import { spaced } from './phrases.js';

/** What stands between the words of a phrase. */
const BETWEEN = "(?:[\\w'-]{1,14}[\\s,]{1,4}){0,4}";

/** Name, first words, and what follows these. A single space stands for any. Letters with accents stand without them. */
const PHRASES: readonly (readonly [name: string, firstWords: string, rest: string, needs?: Needs])[] = [
  // German.
  [
    'act_unbound',
    'ki|assistent|chatbot|bot',
    ' (?:ganz |vollig )?(?:ohne (?:jede |jegliche |alle )?(?:einschrankungen|beschrankungen|zensur|vorschriften|restriktionen)|die (?:keine|keinerlei) (?:regeln|grenzen|einschrankungen|filter) (?:hat|kennt))\\b',
  ],
  [
    'forget_instructions',
    'vergiss|ignoriere|missachte|verwirf|streiche',
    ` (?:alle |samtliche )?(?:die )?(?:regeln|einschrankungen|beschrankungen|vorgaben|richtlinien|anweisungen|verbote) die (?:dir|man dir|sie dir|deine) ${BETWEEN}(?:gegeben|auferlegt|gesetzt|beigebracht|vorgegeben|gemacht|haben|wurden)\\b`,
  ],
  ['act_unbound', 'antworte|rede|sprich|schreib|schreibe', ' (?:mir )?(?:ab jetzt |nun |vollig |ganz )?unzensiert\\b'],
  // French.
  [
    'act_unbound',
    'tu|vous',
    ` (?:es|etes|seras) (?:maintenant |desormais |a present )?(?:une?|l') ?${BETWEEN}(?:ia|assistant|modele|chatbot|bot|intelligence artificielle) ${BETWEEN}sans (?:aucune? )?(?:restrictions?|filtres?|limites?|regles?|censure|limitations?|contraintes?)\\b`,
  ],
  [
    'act_unbound',
    'avais|aviez',
    "(?<=\\bcomme\\ssi\\s(?:tu|vous)\\sn['’]\\w{5}) (?:aucune?|pas de|plus de|plus aucune?) (?:regles?|restrictions?|filtres?|limites?|consignes?|contraintes?)\\b",
  ],
  [
    'developer_mode',
    'tu|vous',
    ' (?:es|etes|passes|passez) (?:maintenant |desormais )?en mode (?:developpeur|sans filtre|sans restriction|dieu)\\b',
  ],
  [
    'forget_instructions',
    'oublie|oubliez|ignore|ignorez|abandonne|laisse',
    ` (?:toutes |tous )?(?:les|tes|ces) (?:regles|restrictions|consignes|limites|instructions|contraintes|interdictions) (?:que|qu['’]on|qui) ${BETWEEN}(?:t['’]ont|t['’]a|vous ont|te|t['’]as|vous a|t['’]ont ete) ${BETWEEN}(?:donne|impose|fixe|dicte|programme)\\w{0,3}\\b`,
  ],
  ['identity_hijack', 'tu|vous', " n['’](?:obeis|obeissez|ecoutes|ecoutez) (?:plus )?qu['’]a moi\\b"],
  // Spanish.
  [
    'act_unbound',
    'eres|seras',
    ` (?:ahora |desde ahora )?una? ${BETWEEN}(?:ia|asistente|modelo|chatbot|bot|inteligencia artificial) ${BETWEEN}sin (?:ninguna? |ningun tipo de )?(?:restriccion|restricciones|filtros?|limites|reglas|censura|limitaciones)\\b`,
  ],
  [
    'developer_mode',
    'estas|activa',
    ' (?:ahora )?(?:en )?(?:el )?modo (?:desarrollador|sin restricciones|sin filtros|dios)\\b(?! (?:en|de|del) (?:el |la |tu |mi |un )?(?:movil|telefono|android|windows|celular|tablet|navegador))(?= (?:y|sin|ahora)\\b|\\s{0,2}[.:!,])',
  ],
  [
    'forget_instructions',
    'olvida|ignora|olvidate|descarta|abandona',
    ` (?:de )?(?:todas |todos )?(?:las|los|tus) (?:reglas|restricciones|normas|instrucciones|limites|limitaciones|prohibiciones) que (?:te|tus) ${BETWEEN}(?:dieron|pusieron|impusieron|puesto|dado|impuesto|programaron)\\b`,
  ],
  // Italian.
  [
    'act_unbound',
    'sei|sarai',
    ` (?:ora |adesso |d['’]ora in poi )?(?:un['’]|una? )${BETWEEN}(?:ia|assistente|modello|chatbot|bot|intelligenza artificiale) ${BETWEEN}senza (?:alcuna? |nessuna? )?(?:restrizion[ei]|filtri|limiti|regole|censura|limitazioni)\\b`,
  ],
  [
    'act_unbound',
    'avessi',
    '(?<=\\bcome\\sse\\s(?:tu\\s)?non\\savessi) (?:alcuna? |nessuna? |piu )?(?:regole|regola|restrizioni|restrizione|filtri|limiti|limitazioni)\\b',
  ],
  [
    'developer_mode',
    'sei|passa|attiva',
    ' (?:ora |adesso )?(?:alla |in |la )?modalita (?:sviluppatore|senza filtri|senza restrizioni|dio)\\b(?= (?:e|senza|ora)\\b|\\s{0,2}[.:!,])',
  ],
  [
    'forget_instructions',
    'dimentica|ignora|dimenticati|abbandona',
    ` (?:di )?(?:tutte |tutti )?(?:le|i|gli|delle) (?:regole|restrizioni|istruzioni|limiti|limitazioni|divieti|direttive) che ti ${BETWEEN}(?:dato|dati|imposto|imposti|messo|messi|insegnato|date|imposte)\\b`,
  ],
  // Portuguese.
  [
    'act_unbound',
    'voce|tu',
    ` (?:agora )?(?:e|es|sera) (?:agora )?uma? ${BETWEEN}(?:ia|assistente|modelo|chatbot|bot|inteligencia artificial) ${BETWEEN}sem (?:nenhuma? |qualquer |quaisquer )?(?:restricoes|restricao|filtros?|limites|regras|censura|limitacoes)\\b`,
  ],
  [
    'act_unbound',
    'nao',
    '(?<=\\bcomo\\sse\\s(?:voce\\s|tu\\s)?nao) (?:tivesses?|houvesse) (?:nenhuma? |qualquer |mais )?(?:regras?|restricao|restricoes|filtros?|limites?)\\b',
  ],
  [
    'forget_instructions',
    'esqueca|ignore|esquece|ignora|abandone',
    ` (?:todas |todos )?(?:as|os|das) (?:regras|restricoes|instrucoes|limites|limitacoes|proibicoes|diretrizes) que (?:te|lhe|voce|os|a|seus) ${BETWEEN}(?:deram|impuseram|recebeu|deu|impos|colocaram)\\b`,
  ],
  // Dutch.
  [
    'act_unbound',
    'alsof',
    ` (?:je|u|jij) (?:geen|nooit|geen enkele) ${BETWEEN}(?:regels?|filters?|beperkingen?|richtlijnen|restricties|instructies)\\b`,
  ],
  [
    'act_unbound',
    'je|jij',
    ` (?:bent|wordt) (?:nu |vanaf nu )?(?:een )?${BETWEEN}(?:ai|assistent|model|chatbot|bot|taalmodel) ${BETWEEN}zonder (?:enige |enkele )?(?:beperkingen?|filters?|regels?|censuur|restricties|grenzen)\\b`,
  ],
  [
    'void_instructions',
    'makers|ontwikkelaars',
    ` ${BETWEEN}(?:verboden|opgelegd|gezegd|verteld|opgedragen|gegeven) ${BETWEEN}(?:telt|geldt|gelden|tellen) ${BETWEEN}niet(?: meer| langer)\\b`,
    [[FOREIGN, 0]],
  ],
  ['act_unbound', 'ongecensureerd|ongefilterd', ' (?:antwoord|antwoorden|modus|te antwoorden)\\b'],
  [
    'forget_instructions',
    'vergeet|negeer',
    ` (?:alle )?(?:de )?(?:regels|beperkingen|instructies|richtlijnen|restricties) die (?:je|ze je|jou|men je) ${BETWEEN}(?:gegeven|gekregen|opgelegd|hebben|opgedragen|meegegeven)\\b`,
  ],
  // Polish.
  [
    'act_unbound',
    'jestes',
    ` (?:teraz |od teraz )?${BETWEEN}(?:ai|sztuczna inteligencja|modelem|asystentem|botem|chatbotem|model|bot) ${BETWEEN}bez (?:zadnych |jakichkolwiek )?(?:ograniczen|filtrow|zasad|cenzury|regul|limitow)\\b`,
  ],
  [
    'act_unbound',
    'jakbys|jakby',
    ' (?:nie mial\\w? |nie obowiazywaly cie )(?:zadnych )?(?:zasad|ograniczen|filtrow|regul|zadne zasady)',
  ],
  [
    'developer_mode',
    'jestes|wejdz',
    ' (?:teraz )?(?:w|do) tryb(?:ie|u) (?:dewelopera|programisty|deweloperskim|deweloperskiego|bez ograniczen)\\b',
  ],
  [
    'forget_instructions',
    'zapomnij|zignoruj|porzuc',
    ` (?:o )?(?:wszystkich |wszystkie )?(?:zasadach|regulach|ograniczeniach|instrukcjach|zasady|ograniczenia|instrukcje) (?:ktore|jakie|narzuconych|nalozonych) ${BETWEEN}(?:tworcy|programisci|deweloperzy|ci|cie|ciebie)\\b`,
  ],
  // Turkish.
  ['developer_mode', 'gelistirici', ' mod(?:undasin|undasiniz|una gectin|unda calis\\w{0,6})'],
  [
    'act_unbound',
    'hicbir',
    ' (?:kural|kisitlama|sinir|filtre|politika|sansur)\\w{0,8} (?:bagli degilsin|uymak zorunda degilsin|tabi degilsin|uyma\\b|olmayan (?:bir )?(?:yapay|asistan|bot|model))',
  ],
  [
    'forget_instructions',
    'verilen|konulan|koyulan|dayatilan|koydugu',
    ` ${BETWEEN}(?:talimat|kural|kisitlama|sinirlama|emir|yonerge)\\w{0,8} ${BETWEEN}(?:unut|yok say|gormezden gel|goz ardi et|dikkate alma)`,
  ],
  ['act_unbound', 'sansursuz', ' (?:cevap|yanit|konus|yaz)'],
  [
    'act_unbound',
    'kisitlamasiz|sinirsiz|filtresiz|kuralsiz',
    ' (?:bir )?(?:yapay zeka|asistan|chatbot|bot|model)\\w{0,6}sin',
  ],
  // Indonesian.
  [
    'act_unbound',
    'kamu|anda',
    ` (?:sekarang |kini )?(?:adalah |menjadi )?(?:sekarang )?${BETWEEN}(?:ai|asisten|chatbot|bot|model) ${BETWEEN}tanpa (?:ada )?(?:batasan|filter|aturan|sensor|pembatasan|batas)\\b`,
  ],
  [
    'act_unbound',
    'seolah|seakan',
    `(?:-\\w{4,6})? (?:kamu|anda) (?:tidak|tak) (?:punya|memiliki|ada|terikat) ${BETWEEN}(?:aturan|batasan|filter|pembatasan)\\b`,
  ],
  // Vietnamese.
  [
    'act_unbound',
    'ban',
    ` (?:bay gio |tu bay gio |hien )?la (?:mot )?${BETWEEN}(?:ai|tro ly|chatbot|tri tue nhan tao|mo hinh) ${BETWEEN}khong (?:co |bi )?(?:bat ky )?(?:gioi han|kiem duyet|bo loc|quy tac|rang buoc)\\b`,
  ],
  // Swedish, Danish and Norwegian.
  [
    'act_unbound',
    'du',
    ` (?:ar|er) (?:nu |na )?(?:en |ett )?${BETWEEN}(?:ai|assistent|chatbot|bot|sprakmodell|sprogmodel) ${BETWEEN}(?:utan|uten|uden) (?:nagra |noen |nogen )?(?:begransningar|begrensninger|begraensninger|filter|filtre|regler|censur|sensur)\\b`,
  ],
  // Czech and Slovak.
  [
    'act_unbound',
    'jsi',
    ` (?:nyni |ted |teraz |od ted )?${BETWEEN}(?:ai|umela inteligence|umela inteligencia|asistent|chatbot|bot|model) ${BETWEEN}bez (?:jakychkoli |akychkolvek )?(?:omezeni|filtru|filtrov|pravidel|cenzury|obmedzeni)\\b`,
  ],
  // Romanian, Hungarian, Finnish and Filipino.
  [
    'ignore_previous_instructions',
    'ignora|ignorati|ignorand|uita|uitati',
    ` (?:de )?(?:toate )?(?:instructiunile|regulile|comenzile|indicatiile) ${BETWEEN}(?:anterioare|precedente|de mai sus|tale|primite|de pana acum)\\b`,
  ],
  [
    'ignore_previous_instructions',
    'hagyd|felejtsd',
    ` (?:figyelmen kivul|el) ${BETWEEN}(?:korabbi|elozo|fenti|eddigi) ${BETWEEN}(?:utasitas|szabaly|parancs|iranyelv)\\w{0,6}`,
  ],
  [
    'ignore_previous_instructions',
    'unohda|ohita|sivuuta',
    ` (?:kaikki )?(?:aiemmat|aikaisemmat|edelliset|ylla olevat|nykyiset) (?:\\w{3,14} )?(?:ohjeet|ohjeesi|saannot|saantosi|kaskyt|maaraykset)\\b`,
  ],
  [
    'ignore_previous_instructions',
    'huwag|kalimutan|balewalain|ipagwalang',
    ' (?:\\w{2,10} ){0,5}(?:naunang|nakaraang|dating|nauna|sinabi) (?:mga |na )?(?:mga )?(?:tagubilin|utos|panuto|instruksyon|patakaran)\\b',
  ],
];

/** Selves without limits, and rules that count no more, in other languages (docs/interface/content-filters.md#prompt-injection). */
export const PERSONAS_IN_OTHER_LANGUAGES: readonly (readonly [
  name: string,
  firstWords: string,
  rest: string,
  needs: Needs,
])[] = PHRASES.map(([name, firstWords, rest, needs = NO_NEEDS]) => [name, firstWords, spaced(rest), needs]);
