import { storedEmail } from '../../contract/text/email.ts';
import { isLoopback } from '../../contract/text/loopback.ts';
import type { SecretSettings } from '../settings/settings.ts';

export type Letter = { id: string; para: string; asunto: string; texto: string; html: string };
export type Account = SecretSettings;

const TIMEOUT_MS = 15_000;

/** Base URLs of the providers; tests substitute their own server. */
export const API = { sendgrid: 'https://api.sendgrid.com/v3', mailgun: 'https://api.eu.mailgun.net/v3' };

/** Calls a provider with a timeout; redirects fail, because they would leak key and mail. */
const ask = (url: string, request: RequestInit) => fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });

/** Returns the SMTP transport: TLS on port 465, else required STARTTLS (RFC 8314, section 3), except on loopback. */
export async function smtpTransport({ smtpHost, smtpPort, smtpUser, smtpPassword }: Account) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host: smtpHost,
    port: smtpPort,
    secure: smtpPort === 465,
    requireTLS: !isLoopback(smtpHost),
    ...(smtpUser ? { auth: { user: smtpUser, pass: smtpPassword ?? '' } } : {}),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}

export const smtpServer = ({ emailProvider, smtpHost, smtpPort }: Account): string =>
  emailProvider === 'smtp' ? `${smtpHost}:${smtpPort}` : emailProvider;

/** Keep absence notes from answering: RFC 3834, section 5, and Exchange's own header ([MS-OXCMAIL], 2.2.3.2.14). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** Sends a mail through the configured provider. After an error the mail may or may not have been sent. */
export async function sendLetter(account: Account, { para, ...rest }: Letter, api = API): Promise<void> {
  const letter = { ...rest, para: storedEmail(para) };
  const from = storedEmail(account.mailFrom || account.companyEmail);
  const name = account.companyName || 'Enruta';
  if (!from) throw new Error('Falta el remitente: indica el email de la empresa en la configuración');
  const messageId = `<${letter.id}@${from.split('@')[1] ?? 'enruta'}>`;
  if (account.emailProvider === 'smtp') {
    const transport = await smtpTransport(account);
    try {
      await transport.sendMail({
        from: { name, address: from },
        to: letter.para,
        subject: letter.asunto,
        text: letter.texto,
        html: letter.html,
        messageId,
        headers: AUTOMATIC,
      });
    } finally {
      transport.close();
    }
    return;
  }
  const answer =
    account.emailProvider === 'sendgrid'
      ? await bySendgrid(account, letter, { from, name, messageId }, api.sendgrid)
      : await byMailgun(account, letter, { from, name, messageId }, api.mailgun);
  if (!answer.ok) throw new Error(`${account.emailProvider} respondió ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
}

type Sender = { from: string; name: string; messageId: string };

const bySendgrid = (account: Account, letter: Letter, { from, name, messageId }: Sender, base: string) =>
  ask(`${base}/mail/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.apiKey ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: letter.para }] }],
      from: { email: from, name },
      subject: letter.asunto,
      headers: { 'Message-ID': messageId, ...AUTOMATIC },
      content: [
        { type: 'text/plain', value: letter.texto },
        { type: 'text/html', value: letter.html },
      ],
    }),
  });

function byMailgun(account: Account, letter: Letter, { from, name, messageId }: Sender, base: string) {
  const body = new FormData();
  for (const [field, value] of Object.entries({
    from: `${name.replace(/[<>",]/g, ' ')} <${from}>`,
    to: letter.para,
    subject: letter.asunto,
    text: letter.texto,
    html: letter.html,
    'h:Message-Id': messageId,
    ...Object.fromEntries(Object.entries(AUTOMATIC).map(([name, value]) => [`h:${name}`, value])),
  }))
    body.append(field, value);
  return ask(`${base}/${encodeURIComponent(account.mailgunDomain)}/messages`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`api:${account.apiKey ?? ''}`).toString('base64')}` },
    body,
  });
}

/** Connects and signs in without sending. Throws the error of SMTP or of the network, or one with the status of an API. */
export async function checkMailServer(account: Account, api = API): Promise<void> {
  if (account.emailProvider === 'smtp') {
    const transport = await smtpTransport(account);
    try {
      await transport.verify();
    } finally {
      transport.close();
    }
    return;
  }
  const [url, authorization] =
    account.emailProvider === 'sendgrid'
      ? [`${api.sendgrid}/scopes`, `Bearer ${account.apiKey ?? ''}`]
      : [
          `${api.mailgun}/domains/${encodeURIComponent(account.mailgunDomain)}`,
          `Basic ${Buffer.from(`api:${account.apiKey ?? ''}`).toString('base64')}`,
        ];
  const answer = await ask(url, { headers: { authorization } });
  if (!answer.ok) throw new Error(`${account.emailProvider} respondió ${answer.status}`);
}
