/** What stands for a password in examples: words, and variables of all kinds of templates. */
const NO_PASSWORD =
  /^(?:pass|password|passwd|pwd|secret|user|username|token|changeme|example|your.*|x+|\*+|\.+|[$%{[(].*)$/i;

/** Whether a text is what people write where a password would stand. */
export function isPlaceholder(password: string): boolean {
  return NO_PASSWORD.test(password);
}
