/** Characters beside the Latin letters that they look like, in the same order. Those that Unicode takes apart are left out. */
const PAIRS: readonly (readonly [lookalikes: string, letters: string])[] = [
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

/** The Latin letter that a letter of another alphabet looks like, or a Latin one that is not made of a plain letter. */
export const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  PAIRS.flatMap(([lookalikes, letters]) =>
    Array.from(lookalikes, (lookalike, index): [string, string] => [lookalike, letters.charAt(index)]),
  ),
);
