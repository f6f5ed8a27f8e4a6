import { SPACE } from './phrases.js';

/**
 * Overriding the instructions, and asking for the prompt, in languages other than English that are written in Latin letters: the name
 * of the pattern, first words, and what follows these. Words begin with a letter of ASCII; letters with accents stand inside.
 */
export const PHRASES_IN_OTHER_LANGUAGES: readonly (readonly [name: string, firstWords: string, rest: string])[] = [
  ['ignore_previous_instructions', 'ignorier|ignoriere|ignorieren|missachte|missachten', `${SPACE}${german()}`],
  ['forget_instructions', 'vergiss|vergesse|vergessen', `${SPACE}${german()}`],
  [
    'show_prompt',
    'zeig|zeige|nenne|verrate|gib',
    `${SPACE}(?:mir${SPACE})?dein(?:en?)?${SPACE}(?:\\w{1,16}${SPACE})?(?:system-?prompt|systemanweisungen|systemnachricht)\\b`,
  ],
  ['ignore_previous_instructions', 'ignore|ignorez|ignorer', `${SPACE}${french()}`],
  ['forget_instructions', 'oublie|oubliez|oublier', `${SPACE}${french()}`],
  [
    'show_prompt',
    'montre|montrez|affiche|affichez|donne|donnez',
    `(?:-(?:moi|nous))?${SPACE}(?:ton|votre)${SPACE}prompt\\b`,
  ],
  ['ignore_previous_instructions', 'ignora|ignore|ignorad', `${SPACE}${spanish()}`],
  ['forget_instructions', 'olvida|olvide|olvidad', `${SPACE}${spanish()}`],
  ['show_prompt', 'muestrame|muestra|revela|dime', `${SPACE}(?:tu|su)${SPACE}prompt\\b`],
  [
    'ignore_previous_instructions',
    'ignore|ignora|ignorem|esquece',
    `${SPACE}(?:todas${SPACE})?as${SPACE}(?:suas${SPACE}|tuas${SPACE})?instru[cç][oõ]es${SPACE}(?:anteriores|pr[eé]vias|acima)\\b`,
  ],
  [
    'ignore_previous_instructions',
    'ignora|ignorate|dimentica|dimenticate',
    `${SPACE}(?:tutte${SPACE})?le${SPACE}(?:(?:tue${SPACE})(?:istruzioni|regole)|(?:istruzioni|regole)${SPACE}(?:precedenti|sopra))\\b`,
  ],
  [
    'ignore_previous_instructions',
    'negeer|vergeet',
    `${SPACE}(?:(?:alle|al|de|je|jouw)${SPACE}){0,3}(?:vorige|voorgaande|eerdere|bovenstaande)${SPACE}(?:instructies|opdrachten|regels)\\b`,
  ],
  [
    'ignore_previous_instructions',
    'zignoruj|ignoruj|zapomnij',
    `${SPACE}(?:\\S{1,14}${SPACE}){0,2}(?:poprzednie|poprzednich|wcze[sś]niejsze)${SPACE}(?:instrukcj|polece)`,
  ],
];

/** The same in other scripts, as one expression for each pattern. Words of these need no space before them. */
export const PHRASES_IN_OTHER_SCRIPTS: readonly (readonly [name: string, phrase: RegExp])[] = [
  [
    'ignore_previous_instructions',
    new RegExp(
      [
        '(?:忽略|无视|無視|忘记|忘記|忽視)[^。！？\\n]{0,10}(?:之前|以上|先前|上面|前面|此前)[^。！？\\n]{0,8}(?:指令|指示|提示|规则|規則)',
        '(?:以前|これまで|上記|前)の[^。\\n]{0,8}(?:指示|命令|ルール)[^。\\n]{0,8}(?:無視|忘れ)',
        '(?:игнорируй|забудь|проигнорируй)(?:те)?\\s{1,4}(?:\\S{1,12}\\s{1,4}){0,2}(?:предыдущие|прошлые|прежние)\\s{1,4}(?:инструкции|указания|правила)',
        '(?:이전|위)의?\\s{0,2}(?:모든\\s{0,2})?(?:지시|명령|지침)[^.\\n]{0,8}무시',
      ].join('|'),
      'giu',
    ),
  ],
  [
    'show_prompt',
    new RegExp(
      [
        '(?:显示|顯示|告诉我|告訴我|输出|輸出|透露)[^。！？\\n]{0,6}(?:系统提示|系統提示)',
        'システムプロンプト[^。\\n]{0,6}(?:表示|教え|見せ|出力)',
        '(?:покажи|раскрой|выведи)(?:те)?\\s{1,4}(?:мне\\s{1,4})?(?:свой|твой|ваш)\\s{1,4}системный\\s{1,4}промпт',
      ].join('|'),
      'giu',
    ),
  ],
];

function german(): string {
  const instructions = '(?:anweisungen|instruktionen|regeln|vorgaben|befehle|prompts?|systemprompts?)';
  return `(?:alle${SPACE})?(?:vorherigen?|bisherigen?|vorigen?|obigen?|deine[nr]?|vorangegangenen)${SPACE}${instructions}\\b`;
}

function french(): string {
  const instructions = '(?:instructions|consignes|directives|r[eè]gles)';
  return `(?:toutes${SPACE})?(?:(?:tes|vos)${SPACE}${instructions}|(?:les|ces)${SPACE}${instructions}${SPACE}(?:pr[eé]c[eé]dentes|ant[eé]rieures|ci-dessus))\\b`;
}

function spanish(): string {
  const instructions = '(?:instrucciones|indicaciones|reglas)';
  return `(?:todas${SPACE})?(?:(?:tus|sus)${SPACE}${instructions}|las${SPACE}${instructions}${SPACE}(?:anteriores|previas))\\b`;
}
