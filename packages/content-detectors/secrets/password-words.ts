/** Words for a password in other languages than English. The last one is the end of `mot de passe` and `palavra-passe`. */
const WORDS =
  'contraseña contrasena kennwort senha wachtwoord hasło пароль lösenord lösenordet passord passordet ' +
  'adgangskode adgangskoden kodeord kodeordet salasana şifre şifresi şifreniz jelszó heslo lozinka geslo парола лозинка parool slaptažodis parola mdp passe';

/** Words that other things have too, or are spelled like others without their marks. */
const AMBIGUOUS_WORDS = 'sifre haslo sandi pw';

/** The Spanish word for keys of all kinds, and passwords. */
const WORD_FOR_KEYS = 'clave';

/** What stands in front of the last part of a word that consists of several, or does not stand in front of it. */
const BEGINNINGS: ReadonlyMap<string, RegExp> = new Map([
  ['passe', /(?:mots? de|palavra)[ -]$/i],
  ['sandi', /kata $/i],
  ['clave', /(?<!palabras? |palabra-|_|-)$/i],
]);
const MAXIMUM_BEGINNING_LENGTH = 10;

/** What a value behind one of them has to be like: more, where the word does not say enough. */
export type PasswordWordKind = 'said password' | 'spoken password' | 'doubtful password';

const KINDS: ReadonlyMap<string, PasswordWordKind> = new Map([
  ...WORDS.split(' ').map((word) => [word, 'said password'] as const),
  ...AMBIGUOUS_WORDS.split(' ').map((word) => [word, 'spoken password'] as const),
  [WORD_FOR_KEYS, 'doubtful password'] as const,
]);

/** Words for passwords in alphabets that are no words to filters: they end in front of a colon. */
export const PASSWORD_WORD_ELSEWHERE =
  /(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드|암호|كلمة المرور|كلمة السر|كلمة مرور|رمز عبور|گذرواژه|סיסמה|סיסמא|รหัสผ่าน|पासवर्ड|mật khẩu)は? ?$/i;

/** How these words are spelled: letters beyond ASCII are others in capitals. */
export const PASSWORD_WORDS: readonly string[] = [...KINDS.keys()].flatMap((word) => [
  word,
  word.charAt(0).toUpperCase() + word.slice(1),
  word.toUpperCase(),
]);

/** What the value behind a word has to be like: undefined if it is none for a password. */
export function passwordWordKind(text: string, start: number, end: number): PasswordWordKind | undefined {
  const word = text.slice(start, end).toLowerCase();
  const beginning = BEGINNINGS.get(word);
  if (beginning !== undefined && !beginning.test(text.slice(Math.max(0, start - MAXIMUM_BEGINNING_LENGTH), start)))
    return undefined;
  return KINDS.get(word);
}
