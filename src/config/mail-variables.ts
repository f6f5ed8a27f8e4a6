import type { VariableReader } from './variable-reader.js';

/** An address, or a name and an address in angle brackets. */
const SENDER =
  /^(?:[^<>@\p{Cc}"]{1,100} <[^<>@\s\p{Cc}]{1,64}@[^<>@\s\p{Cc}]{1,255}>|[^<>@\s\p{Cc}]{1,64}@[^<>@\s\p{Cc}]{1,255})$/u;

/** Reads SMTP_FROM, the sender of mails. @returns undefined when it is not set */
export function smtpFromOf(reader: VariableReader): string | undefined {
  const sender = reader.optionalText('SMTP_FROM');
  if (sender !== undefined && !SENDER.test(sender)) {
    reader.issue('SMTP_FROM', 'must be an address such as alerts@example.com, or Gatehouse <alerts@example.com>');
  }
  return sender;
}
