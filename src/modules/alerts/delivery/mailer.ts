import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Environment } from '../../../config/environment.js';

/** Time limits of the steps of sending, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
const GREETING_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/** How many connections to the server a process has at most. */
const CONNECTIONS = 2;

/** The longest subject, in characters. */
const SUBJECT_LENGTH = 200;

/** What could end a header, or make a line look like another. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** A message of plain text. */
export interface Mail {
  /** One address, whose form was checked. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Equal for all attempts, so that receivers can tell a repeated one: letters, digits and dashes. */
  readonly id: string;
}

/** A mail could not be handed over. Its message has a code of the protocol, and nothing of the server's, which may repeat a credential. */
export class MailNotSent extends Error {}

/** Hands mails over to the server of SMTP_URL. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport: Transporter | undefined;
  private readonly from: string;

  constructor({ smtpUrl, smtpFrom }: Environment) {
    this.from = smtpFrom ?? '';
    if (smtpUrl === undefined) return;
    this.transport = createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: GREETING_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Whether this deployment sends e-mail. */
  get isConfigured(): boolean {
    return this.transport !== undefined;
  }

  /** Hands a mail over. @throws MailNotSent when the server did not take it, or there is none */
  async send({ to, subject, text, id }: Mail): Promise<void> {
    if (this.transport === undefined) throw new MailNotSent('SMTP_URL is not set');
    try {
      await this.transport.sendMail({
        from: this.from,
        to: { name: '', address: to },
        subject: oneLineOf(subject),
        text,
        messageId: `<${id}@gatehouse>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      const { code = 'UNKNOWN', responseCode } = error as { readonly code?: string; readonly responseCode?: number };
      throw new MailNotSent(`the mail server did not take it (${[code, responseCode].filter(Boolean).join(' ')})`);
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/** A text as a subject: one line, without characters that are not seen. */
export function oneLineOf(text: string): string {
  return [...text.toWellFormed().replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()].slice(0, SUBJECT_LENGTH).join('');
}
