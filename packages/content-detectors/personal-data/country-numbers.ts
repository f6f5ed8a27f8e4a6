/** The calling codes of two and three digits (ITU-T E.164); those of one digit are 1 and 7. */
const TWO_DIGIT_CODES = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);
const THREE_DIGIT_CODES =
  /^(?:21[1-368]|22\d|23\d|24\d|25[0-8]|26[0-9]|29[0179]|35\d|37\d|38[0-35-79]|42[013]|50\d|59\d|67[02-9]|68[0-35-9]|69[0-2]|800|808|85[02356]|870|88[0-368]|96[0-8]|97[0-79]|99[2-68])/;

/** The forms of national numbers where a country has few; in all others only their length is known. */
const NATIONAL_NUMBERS: Readonly<Record<string, RegExp>> = {
  '1': /^[2-9]\d{2}[2-9]\d{6}$/,
  '7': /^[3-9]\d{9}$/,
  '31': /^[1-9]\d{8}$/,
  '33': /^[1-9]\d{8}$/,
  '34': /^[5-9]\d{8}$/,
  '44': /^0?[1-9]\d{8,9}$/,
  '49': /^0?[1-9]\d{5,12}$/,
  '52': /^1?[1-9]\d{9}$/,
  '55': /^[1-9]{2}9?\d{8}$/,
  '61': /^0?[1-9]\d{8}$/,
  '81': /^0?[1-9]\d{8,9}$/,
  '82': /^0?[1-9]\d{7,9}$/,
  '86': /^(?:1[3-9]\d{9}|[1-9]\d{8,10})$/,
  '91': /^[1-9]\d{9}$/,
};

const OTHER_NATIONAL_NUMBER = /^\d{6,12}$/;

/** Whether digits are a calling code and a number that the country may have. @param digits without a plus sign */
export function isCountryNumber(digits: string): boolean {
  const code = callingCodeOf(digits);
  if (code === undefined || digits.length > 15) return false;
  return (NATIONAL_NUMBERS[code] ?? OTHER_NATIONAL_NUMBER).test(digits.slice(code.length));
}

function callingCodeOf(digits: string): string | undefined {
  const [first = ''] = digits;
  if (first === '1' || first === '7') return first;
  const two = digits.slice(0, 2);
  if (TWO_DIGIT_CODES.has(two)) return two;
  return THREE_DIGIT_CODES.exec(digits)?.[0];
}
