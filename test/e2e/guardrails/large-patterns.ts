/** Repeats a text up to so many characters. */
function filling(part: string, characters: number): string {
  return part.repeat(Math.floor(characters / part.length));
}

function nested(depth: number, start: string, end: string): string {
  return start.repeat(depth) + 'a' + end.repeat(depth);
}

function capitals(count: number): string {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + 2 * index)).join('');
}

/** Patterns that would take the engine seconds, or hundreds of megabytes; all are at most 100,000 characters long. */
export const LARGE_PATTERNS: Readonly<Record<string, string>> = {
  'optional groups, 2,000 characters of them': filling('(x){0,999}', 2_000),
  'optional characters, 2,000 characters of them': filling('x{0,1000}', 2_000),
  'optional empty groups, 2,000 characters of them': filling('(){0,999}', 2_000),
  'groups of optional characters, 2,000 characters of them': filling('(x{0,999})', 2_000),
  'optional groups without a number': filling('(?:x){0,999}', 2_000),
  'optional groups with nothing in them': filling('(?:){0,999}', 2_000),
  'repeated characters, 2,000 characters of them': filling('x{1000}', 2_000),
  'repeated characters without an end': filling('x{1000,}', 2_000),
  'repeated full stops': filling('.{1000}', 2_000),
  'repeated classes': filling('[a-z]{1000}', 2_000),
  'repeated negated classes': filling('[^a]{0,1000}', 2_000),
  'repeated digits': filling('\\d{1000}', 2_000),
  'repeated assertions': filling('(?:\\b){1000}', 2_000),
  'repeated line ends': filling('(?:$){999}', 2_000),
  'repeated alternatives': filling('(?:ab|cd){1000}', 2_000),
  'repeated empty alternatives': filling('(|){1000}', 2_000),
  'repeated words': `(?:${'word'.repeat(10)}){1000}`,
  'repeated quoted text': `(?:\\Q${'*'.repeat(40)}\\E){1000}`,
  'repeated groups of repeated groups': '((a{0,100}){0,100}){0,100}',
  'ten repetitions in each other': '('.repeat(10) + 'a' + '{2,10})'.repeat(9) + '{2,10})',
  'a hundred repetitions in each other': nested(100, '(', '){1000}'),
  'repetitions beyond what numbers are for': nested(99, '(?:', '){99999999}'),
  'a count of a million digits less': `a{${'9'.repeat(90_000)}}`,
  'stars of stars': `a${'*'.repeat(50_000)}`,
  'questions of questions': `a${'?'.repeat(50_000)}`,
  'repetitions of repetitions without groups': `a${'{1000}'.repeat(1_000)}`,
  'stars of nothing': '*'.repeat(100_000),
  'empty alternatives': '|'.repeat(100_000),
  'empty groups': '()'.repeat(50_000),
  'empty groups without a number': '(?:)'.repeat(25_000),
  'groups of a character': '(a)'.repeat(33_000),
  'starred characters': 'a*'.repeat(50_000),
  assertions: '\\b'.repeat(50_000),
  'text starts': '^'.repeat(100_000),
  'full stops': '.'.repeat(100_000),
  classes: '[a-z]'.repeat(20_000),
  'classes that become one': '[ac]|'.repeat(20_000),
  'letters of Unicode': '\\pL'.repeat(33_000),
  'letters of Unicode in a class': `[${'\\pL'.repeat(33_000)}]`,
  'letters of Unicode of either case in a class': `(?i)[${'\\pL'.repeat(5_000)}]`,
  'what is no letter in a class': `[${'\\P{L}'.repeat(15_000)}]`,
  'counted letters of Unicode': '\\p{L}{1000}'.repeat(8_000),
  'counted letters from the start of a text, written out': `\\A(?:${'\\pL\\pN'.repeat(400)})`,
  'ranges of either case, as many as there is room for': `(?i)[${'\\x{42}-\\x{1e942}'.repeat(5_000)}]`,
  'small classes of either case in a class': `(?i)[${'\\w\\W'.repeat(20_000)}]`,
  'named classes in a class': `[${'[:^word:]'.repeat(10_000)}]`,
  'starts of named classes without an end': `[${'a[:a'.repeat(24_000)}]`,
  'many long alternatives with one beginning': Array(40).fill('.a'.repeat(400)).join('|'),
  'pieces joined in a hundred groups': nested(100, '(?:' + 'ab*'.repeat(300), 'c*)').slice(0, 99_000),
  'text in a counted group': `(?:${'x'.repeat(50_000)}){2}`,
};

/** Patterns that take the engine more than their size tells: up to a second of the thread, or more of its stack than it has. */
export const COSTLY_PATTERNS: Readonly<Record<string, string>> = {
  'counted letters from the start of a text': '^\\pL{1000}\\pL{1000}\\pL{1000}',
  'ranges of either case over all planes': `(?i)[${'B-\\x{1e942}'.repeat(20)}]`,
  'a class of 50,000 ranges of either case': `(?i)[${'a-z'.repeat(33_000)}]`,
  'a counted class of 10,000 ranges that follows the start of a text in groups': `^${nested(90, '(', ')')}[${capitals(10_000)}]{90}`,
  'two long alternatives with one beginning': `(?:${'.a'.repeat(2_000)}b|${'.a'.repeat(2_000)}c)`,
  'alternatives in which the flags change': `${'(?i)a(?-i)b'.repeat(4_000)}c|${'(?i)a(?-i)b'.repeat(4_000)}d`,
};

/** Patterns in which groups stand deeper in each other than anybody writes them. */
export const DEEP_PATTERNS: Readonly<Record<string, string>> = {
  'groups in 101 levels': nested(101, '(', ')'),
  'groups in 40,000 levels': nested(40_000, '(', ')'),
  'groups that are not closed': '('.repeat(100_000),
  'groups without a number': nested(16_000, '(?:', ')'),
  'groups with flags': nested(10_000, '(?i:', ')'),
  'starred groups': nested(10_000, '(?:', ')*'),
};
