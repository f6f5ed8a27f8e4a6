import type { MatchHandler } from '../text/detector.js';
import { matchesAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';
import { linesOf, partsOf } from './phrase-notation.js';

/** Up to so many words of any alphabet, with the space behind them. */
const words = (most: string): string => `(?:[^\\s.!?;]{1,20}\\s{1,4}){0,${most}}`;

/** What instructions are called, and which ones are meant. */
const PARTS = partsOf(String.raw`
    cyrillic given = (?:предыдущ|прошлы|прежн|изначальн|первоначальн|предшествующ|ранее данны|вышеуказанн|сво[ийюе]|тво[ийюе]
      |попередн|минул|початков|системн|сво[їє]|тво[їє])[а-яёіїєґ]{0,6}
    cyrillic instructions = (?:инструкци|указани|правил|команд|директив|приказ|промпт|настройк|інструкці|вказівк|наказ|вказівок
      |правила)[а-яёіїєґ]{0,5}
    chinese instructions = (?:指令|指示|提示|规则|規則|规定|規定|命令|要求|设定|設定)
    chinese given = (?:之前|以上|先前|上面|前面|此前|以前|原来|原來|最初|初始|你的|收到|上述)
    japanese instructions = (?:指示|命令|ルール|指令|規則|プロンプト|制約)
    arabic instructions = (?:ال)?(?:تعليمات|أوامر|اوامر|قواعد|إرشادات|توجيهات|تعليماتك|أوامرك|قواعدك)[\u0600-\u06ff]{0,3}
    hindi instructions = (?:निर्देश|नियम|आदेश|हिदायत)[\u0900-\u097f]{0,4}
`);

/** Overriding the instructions and asking for the prompt, one a line, behind what it begins with. Words of some scripts need no space before them. */
const PHRASES = {
  ignore_previous_instructions: String.raw`
    # Russian and Ukrainian.
    (?:игнорируй|проигнорируй|забудь|отмени|отбрось|нарушь|не следуй|не выполняй|не слушай|не соблюдай|обойди|ігноруй|проігноруй
      |відкинь|скасуй|не виконуй|не дотримуйся
      |не слухай)(?:те)?(?:сь)?\s{1,4}(?:{3 words}{cyrillic given}\s{1,4}{1 words}{cyrillic instructions}
      |{2 words}{cyrillic instructions}\s{1,4}(?:выше|ранее|раньше|вище|раніше|до этого|котор)|(?:вс[её]|усе)\s{0,2},?\s{0,2}(?:что
      |що)\s{1,4}{3 words}(?:раньше|ранее|до этого|выше|говорили|сказали|учили|раніше|вище|казали|говорили))
    # Chinese and Japanese.
    (?:忽略|无视|無視|忘记|忘記|忘掉|忽視|忽视|抛开|抛弃|违反|绕过|不要遵守|不要遵循|不要理会|不再遵守|不用遵守|停止遵守|取消
      |覆盖)[^。！？\n]{0,10}{chinese given}[^。！？\n]{0,8}{chinese instructions}
    (?:以前の|これまでの|今までの|上記の|先ほどの|初期の|元の|あなたの|前の|最初の)[^。\n]{0,8}{japanese instructions}[^。\n]{0,8}(?:無視|忘れ|従わない|破っ|取り消|破棄)
    # Korean.
    (?:이전|위|앞|지금까지|기존|원래|너|당신|이때까지|앞서)(?:의|에|에서)?\s{0,2}[^.!?\n]{0,10}?(?:지시|명령|지침|규칙|프롬프트)[^.!?\n]{0,8}?(?:무시|잊어|따르지|지키지|취소|버려)
    # Arabic.
    (?:تجاهل|تجاهلي|تجاهلوا|انس|انسَ|انسى|تخط|ألغ|لا تتبع|خالف|اهمل
      |أهمل)\s{1,4}(?:{3 words}{arabic instructions}\s{1,4}{1 words}(?:السابق|أعلاه|القديم|الأصلي|التي|الأولي|قبل)[\u0600-\u06ff]{0,3}
      |{2 words}(?:تعليماتك|أوامرك|قواعدك|برمجتك)|كل\s{1,4}(?:ما|شيء)\s{1,4}{4 words}(?:قبل|سابقا|سابقًا|أعلاه))
    # Hindi.
    (?:पिछले|पहले|पूर्व|उपरोक्त|ऊपर|अपने|पिछली|मूल)\s{1,4}{4 words}{hindi instructions}\s{1,4}{3 words}(?:अनदेखा|भूल|नज़रअंदाज़
      |नजरअंदाज|अनदेखी|मत\s{1,4}मान|रद्द|उपेक्षा|पालन\s{1,4}(?:न|मत))
    # Persian, Hebrew, Thai, Bengali and Greek.
    (?:دستور|قوانین|راهنما)[\u0600-\u06ff\u200c]{0,10}\s{1,2}(?:[^\s.!?;]{1,20}\s){0,2}(?:قبلی|پیشین
      |بالا)[\u0600-\u06ff\u200c]{0,3}\s(?:[^\s.!?;]{1,20}\s){0,2}(?:نادیده|فراموش|کنار)
    (?:התעלם|התעלמי|שכח|שכחי)\s(?:[^\s.!?;]{1,14}\s){0,2}(?:מ?ה?הוראות|מ?ה?הנחיות|מ?ה?כללים
      |מ?ה?פקודות)\s(?:[^\s.!?;]{1,14}\s){0,2}(?:ה?קודמ|לעיל|שלמעלה|שניתנו|שקיבלת)
    (?:เพิกเฉย|ละเว้น|ลืม|ไม่ต้องสนใจ|อย่าสนใจ|ละเลย)[^\n]{0,12}?(?:คำสั่ง|คำแนะนำ|กฎ)[^\n]{0,10}?(?:ก่อนหน้า|ข้างต้น|เดิม
      |ที่ผ่านมา)
    (?:আগের|পূর্বের|উপরের|পূর্ববর্তী)\s(?:[^\s.!?;]{1,14}\s){0,2}(?:নির্দেশ|নির্দেশনা|নিয়ম
      |আদেশ)[\u0980-\u09ff]{0,6}\s(?:[^\s.!?;]{1,14}\s){0,2}(?:উপেক্ষা|ভুলে|অগ্রাহ্য)
    (?:αγνόησε|αγνοήστε|ξέχασε|ξεχάστε|παράβλεψε)\s(?:[^\s.!?;]{1,14}\s){0,3}(?:(?:προηγούμεν|προηγουμεν
      |παραπάνω)[α-ωά-ώ]{0,4}\s(?:[^\s.!?;]{1,14}\s){0,2}(?:οδηγ|εντολ|κανόν)|(?:οδηγ|εντολ|κανόν)[α-ωά-ώ]{1,5}\s(?:σου|παραπάνω))
  `,
  forget_instructions: String.raw`
    # Rules by those who gave them.
    (?:забудь|игнорируй|проигнорируй|отбрось|нарушь|ігноруй|проігноруй|відкинь)(?:те)?\s{1,4}(?:о\s|об\s|про\s)?{2 words}(?:правил
      |инструкци|ограничени|запрет|указани|обмежен|інструкці|заборон|вказівк)[а-яіїє]{0,4},?\s(?:котор|наложенн|установленн|які
      |що)[а-яіїє]{0,4}\s{2 words}(?:тебе|вам|тебя|разработчик|создател|компани|тобі|розробник)
    (?:개발자가|제작자가|회사가|운영자가|너에게|당신에게)\s[^.!?\n]{1,10}?(?:규칙|지시|지침|제한|명령)[^.!?\n]{0,8}?(?:잊어|무시|따르지|버려)
    (?:डेवलपर|निर्माता|कंपनी|तुम्हें दिए|आपको दिए)[\u0900-\u097f]{0,4}\s{4 words}(?:नियम|निर्देश|पाबंदी|पाबंदियां|प्रतिबंध
      |आदेश)[\u0900-\u097f]{0,4}\s{2 words}(?:भूल|अनदेखा|मत\sमान|नज़रअंदाज़)
  `,
  show_prompt: String.raw`
    # Russian and Ukrainian.
    (?:покажи|раскрой|выведи|напиши|повтори|открой|сообщи|назови|розкрий|виведи|повідом)(?:те)?\s{1,4}(?:мне\s{1,4}
      |мені\s{1,4})?(?:сво[ийіїюе]|тво[ийіїюе]|ваш[иіу]?)[яєїйе]?\s{1,4}(?:систем[а-яіїє]{2,6}\s{1,4}(?:промпт|инструкци|сообщени
      |запрос|подсказк|інструкці|повідомленн)|(?:скрыт|секретн|изначальн|начальн|внутренн|прихован|таємн
      |початков)[а-яіїє]{1,4}\s{1,4}(?:промпт|инструкци|правил|указани|інструкці|вказівк)|промпт)
    # Chinese and Japanese.
    (?:显示|顯示|告诉我|告訴我|输出|輸出|透露|展示|打印|泄露|洩露|公开|重复|给我看|说出|揭示)[^。！？\n]{0,6}(?:系统提示|系統提示|系统指令|系統指令|初始提示|初始指令|隐藏的?指令|隱藏的?指令|提示词|内部指令
      |系统消息)(?!音|框|窗)
    (?:システムプロンプト|システムメッセージ)[^。\n]{0,6}(?:表示|教え|見せ|出力|開示|公開)
    (?:あなた|初期|隠され|元|秘密)[のた]?[^。\n]{0,6}(?:指示|プロンプト|命令)を?[^。\n]{0,6}(?:教え|見せ|表示|出力|開示|公開)
    # Korean.
    (?:시스템)\s{0,2}(?:프롬프트|메시지|지침|명령)[^.!?\n]{0,6}?(?:보여|알려|출력|공개|말해|표시|드러|밝혀)
    (?:숨겨진|초기|비밀|원래|내부)\s{0,2}(?:지시|지침|프롬프트|명령|규칙)[^.!?\n]{0,6}?(?:보여|알려|출력|공개|말해|표시|드러|밝혀)
    # Arabic.
    (?:اكشف|أظهر|اظهر|اعرض|أخبرني|اطبع|كرر|أرني|ارني|وأظهر|واعرض|واكشف)\s{1,4}{2 words}(?:تعليماتك|موجهك|موجه\s{1,4}النظام
      |(?:ال)?تعليمات\s{1,4}(?:النظام|المخفية|السرية|الأصلية|الأولية)|رسالة\s{1,4}النظام|مطالبة\s{1,4}النظام|برومبت)
    # Hindi.
    (?:सिस्टम)\s{1,4}(?:प्रॉम्प्ट|प्रोम्प्ट|प्रांप्ट|संदेश|निर्देश)[\u0900-\u097f]{0,4}\s{1,4}{2 words}(?:दिखा|बता|प्रकट|प्रिंट
      |उजागर|लिख)
    (?:छिपे|छुपे|गुप्त|मूल|प्रारंभिक)\s{1,4}(?:हुए\s{1,4})?निर्देश[\u0900-\u097f]{0,4}\s{1,4}{2 words}(?:दिखा|बता|प्रकट|प्रिंट|उजागर
      |लिख)
  `,
};

/** A phrase in a script other than Latin, which is tried where one of its beginnings stands. */
interface ScriptPhrase {
  readonly name: string;
  readonly expression: RegExp;
}

/** All of them by the character that they begin with, in lower case. */
const PHRASES_BY_CHARACTER: ReadonlyMap<string, readonly ScriptPhrase[]> = phrasesByCharacter();

/** Whether a phrase may begin with a code unit. */
const BEGINS = new Uint8Array(1 << 16);
for (const character of PHRASES_BY_CHARACTER.keys()) {
  BEGINS[character.charCodeAt(0)] = 1;
  BEGINS[character.toUpperCase().charCodeAt(0)] = 1;
}

/** Finds phrases of prompt injections in scripts other than Latin that begin in a part of a text. */
export function findPhrasesInOtherScripts(part: TextPart, from: number, found: MatchHandler): void {
  if (part.words.isAsciiThroughout) return;
  const { text, to } = part;
  let previousName = '';
  let previousEnd = from;
  for (let position = from; position < to; position += 1) {
    if (BEGINS[text.charCodeAt(position)] === 0) continue;
    for (const { name, expression } of PHRASES_BY_CHARACTER.get(text.charAt(position).toLowerCase())!) {
      // What begins within a phrase is a part of it.
      if ((name === previousName && position < previousEnd) || !matchesAt(expression, text, position)) continue;
      previousName = name;
      previousEnd = expression.lastIndex;
      found(position, previousEnd, name);
    }
  }
}

function phrasesByCharacter(): Map<string, ScriptPhrase[]> {
  const phrases = new Map<string, ScriptPhrase[]>();
  for (const [name, text] of Object.entries(PHRASES)) {
    for (const line of linesOf(text)) {
      const source = line
        .replace(/\{(\d) words\}/g, (_, most: string) => words(most))
        .replace(/\{([a-z ]+)\}/g, (_, part: string) => PARTS.get(part)!);
      const phrase = { name, expression: new RegExp(source, 'iuy') };
      const [, beginnings = ''] = /^\(\?:([^)]*)\)/.exec(line)!;
      for (const character of new Set(beginnings.split('|').map((beginning) => beginning.charAt(0)))) {
        phrases.set(character, [...(phrases.get(character) ?? []), phrase]);
      }
    }
  }
  return phrases;
}
