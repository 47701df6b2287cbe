import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../contract/settings/values.ts';
import { openLetterbox } from '../../test/letterbox.ts';
import { type Account, checkMailServer, sendLetter } from './send.ts';

const LETTER = { id: 'a1', para: 'rita@tienda.es', asunto: 'Pedido pagado: Íñigo', texto: 'Hola, Íñigo', html: '<p>Hola, Íñigo</p>' };
const account = (fields: Partial<Account>): Account => ({
  ...DEFAULT_SETTINGS,
  companyName: 'Almazara "Sur"',
  companyEmail: 'hola@almazara.es',
  ...fields,
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
/** Fake provider API: records requests and responds with `status`. */
async function provider(status: number, headers: Record<string, string> = {}) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(status, headers);
    response.end('dicho por el proveedor');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return { asked, api: { sendgrid: url, mailgun: url } };
}

describe('sending over SMTP', () => {
  async function box() {
    const opened = await openLetterbox({ user: 'almazara', pass: 'clave del buzón' });
    closing.push(opened.close);
    return opened;
  }
  const through = (port: number, fields: Partial<Account> = {}) =>
    account({ smtpHost: '127.0.0.1', smtpPort: port, smtpUser: 'almazara', smtpPassword: 'clave del buzón', ...fields });

  it('sending over SMTP signs in with user and password, and names the company as sender', async () => {
    const { letters, port } = await box();
    await sendLetter(through(port), LETTER);
    expect(letters).toMatchObject([
      { from: 'hola@almazara.es', to: 'rita@tienda.es', subject: LETTER.asunto, messageId: '<a1@almazara.es>' },
    ]);
    expect(letters[0]?.body).toContain('Hola, Íñigo');
  });

  it('a mail over SMTP says that a program sent it, and goes to the ASCII form of an address with «ñ»', async () => {
    const { letters, port } = await box();
    await sendLetter(through(port), { ...LETTER, para: 'ana@cañadas.es' });
    expect(letters).toMatchObject([{ to: 'ana@xn--caadas-xwa.es', automatic: 'auto-generated' }]);
  });

  it('a mail is sent from the address in the settings, if set', async () => {
    const { letters, port } = await box();
    await sendLetter(through(port, { mailFrom: 'pedidos@almazara.es' }), LETTER);
    expect(letters).toMatchObject([{ from: 'pedidos@almazara.es' }]);
  });

  it('sending over SMTP without TLS is refused, except to this machine', async () => {
    const { letters, commands, port } = await box();
    // 0.0.0.0 reaches this machine, but does not count as a local address.
    const elsewhere = through(port, { smtpHost: '0.0.0.0' });
    await expect(checkMailServer(elsewhere)).rejects.toThrow(/STARTTLS/);
    await expect(sendLetter(elsewhere, LETTER)).rejects.toThrow(/STARTTLS/);
    expect(letters).toEqual([]);
    expect(commands.join()).not.toMatch(/AUTH|MAIL FROM/);
  });

  it('sending and testing over SMTP fail with a wrong password', async () => {
    const { letters, port } = await box();
    const wrong = through(port, { smtpPassword: 'otra' });
    await expect(sendLetter(wrong, LETTER)).rejects.toThrow('535');
    await expect(checkMailServer(wrong)).rejects.toThrow('535');
    await checkMailServer(through(port));
    expect(letters).toEqual([]);
  });
});

describe('sending over SendGrid', () => {
  const sendgrid = account({ emailProvider: 'sendgrid', apiKey: 'SG.clave' });

  it('a mail over SendGrid is posted with the key', async () => {
    const { asked, api } = await provider(202);
    await sendLetter(sendgrid, LETTER, api);
    expect(asked).toMatchObject([{ method: 'POST', path: '/mail/send', headers: { authorization: 'Bearer SG.clave' } }]);
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
      personalizations: [{ to: [{ email: 'rita@tienda.es' }] }],
      from: { email: 'hola@almazara.es', name: 'Almazara "Sur"' },
      subject: LETTER.asunto,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      content: [{ value: LETTER.texto }, { value: LETTER.html }],
    });
  });

  it('a refusal by SendGrid is reported, and a key is tested by requesting its scopes', async () => {
    const { asked, api } = await provider(401);
    await expect(sendLetter(sendgrid, LETTER, api)).rejects.toThrow('sendgrid respondió 401: dicho por el proveedor');
    await expect(checkMailServer(sendgrid, api)).rejects.toThrow('sendgrid respondió 401');
    expect(asked[1]).toMatchObject({ method: 'GET', path: '/scopes' });
  });
});

describe('sending over Mailgun', () => {
  const mailgun = account({ emailProvider: 'mailgun', apiKey: 'key-1', mailgunDomain: 'mg.almazara.es' });

  it('a mail over Mailgun is posted to the domain with the key', async () => {
    const { asked, api } = await provider(200);
    await sendLetter(mailgun, LETTER, api);
    const authorization = `Basic ${Buffer.from('api:key-1').toString('base64')}`;
    expect(asked).toMatchObject([{ method: 'POST', path: '/mg.almazara.es/messages', headers: { authorization } }]);
    const form = await new Response(asked[0]?.body, { headers: { 'content-type': asked[0]?.headers['content-type'] ?? '' } }).formData();
    expect(Object.fromEntries(form)).toEqual({
      from: 'Almazara  Sur  <hola@almazara.es>',
      to: 'rita@tienda.es',
      subject: LETTER.asunto,
      text: LETTER.texto,
      html: LETTER.html,
      'h:Message-Id': '<a1@almazara.es>',
      'h:Auto-Submitted': 'auto-generated',
      'h:X-Auto-Response-Suppress': 'All',
    });
  });

  it('a Mailgun key is tested by requesting the domain', async () => {
    const { asked, api } = await provider(404);
    await expect(checkMailServer(mailgun, api)).rejects.toThrow('mailgun respondió 404');
    expect(asked).toMatchObject([{ method: 'GET', path: '/domains/mg.almazara.es' }]);
  });
});

it.each(['sendgrid', 'mailgun'] as const)('a redirect of %s is not followed when sending or testing', async (emailProvider) => {
  const elsewhere = await provider(200);
  const { asked, api } = await provider(307, { location: elsewhere.api.sendgrid });
  const sender = account({ emailProvider, apiKey: 'clave', mailgunDomain: 'mg.almazara.es' });
  await expect(sendLetter(sender, LETTER, api)).rejects.toThrow('fetch failed');
  await expect(checkMailServer(sender, api)).rejects.toThrow('fetch failed');
  expect([asked.length, elsewhere.asked]).toEqual([2, []]);
});

it('a mail without a sender is not sent, and the error says so', async () => {
  await expect(sendLetter(account({ companyEmail: '' }), LETTER)).rejects.toThrow('Falta el remitente');
});
