/** Characters beside the Latin letters that they look like, in the same order. Those that Unicode takes apart are left out. */
const LOOKALIKES: readonly (readonly [lookalikes: string, letters: string])[] = [
  // Cyrillic.
  ['аеорсухіјѕкмтнвһԁԛԝӏѵ', 'aeopcyxijskmthbhdqwlv'],
  ['АЕОРСУХІЈЅКМТНВԚԜӀ', 'AEOPCYXIJSKMTHBQWI'],
  // Greek.
  ['αονιρτυκε', 'aoviptuke'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  // Armenian.
  ['ոօսց', 'noug'],
  // Latin, with a stroke, without a dot, and small capitals.
  ['øØłŁđĐħıɡ', 'oOlLdDhig'],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'],
];

const LETTERS: ReadonlyMap<string, string> = new Map(
  LOOKALIKES.flatMap(([lookalikes, letters]) =>
    Array.from(lookalikes, (lookalike, index): [string, string] => [lookalike, letters.charAt(index)]),
  ),
);

/** Stands for characters without a plain one: the last of ASCII, which belongs to no word and to no phrase. */
const NO_PLAIN_CHARACTER = '\x7f';

/** Unicode tags, which repeat ASCII and are not seen, and how far they are from it. */
const TAG = /[\u{e0020}-\u{e007e}]/u;
const TAGS = 0xe0000;

/** What is not seen by itself: soft hyphens, joiners, marks of direction, variation selectors, accents. */
const NOT_SEEN = /[\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}]/u;

/** The apostrophe beyond ASCII, which phrases have as well. */
const APOSTROPHE = '’';

/** How a character is written in plain letters, and whether readers take it for another one, or see none, as in a disguise. */
export interface PlainForm {
  /** One of ASCII; none for a character that is left out. */
  readonly plain: string;
  readonly isDisguise: boolean;
}

/** The forms of all characters that have occurred: there are not many code points. */
const FORMS = new Map<string, PlainForm>();

/** How a character beyond ASCII is written in plain letters. @param character also half a surrogate pair */
export function plainForm(character: string): PlainForm {
  const known = FORMS.get(character);
  if (known !== undefined) return known;
  const form = formOf(character);
  FORMS.set(character, form);
  return form;
}

function formOf(character: string): PlainForm {
  if (TAG.test(character)) return { plain: String.fromCharCode(character.codePointAt(0)! - TAGS), isDisguise: true };
  if (character === APOSTROPHE) return { plain: "'", isDisguise: false };
  if (/\s/.test(character)) return { plain: ' ', isDisguise: false };
  if (NOT_SEEN.test(character)) return { plain: '', isDisguise: true };
  // The first Latin letter that it is made of, or that a letter it is made of looks like.
  const letters = Array.from(character.normalize('NFKD'), (part) => LETTERS.get(part) ?? part);
  const letter = letters.find((part) => /[A-Za-z]/.test(part));
  return { plain: letter ?? NO_PLAIN_CHARACTER, isDisguise: letter !== undefined };
}
