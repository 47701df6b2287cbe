import type { Settings } from '../../contract/settings/values.ts';

const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Renders a mail as text and HTML; `enlace` is a path. */
export function mailPage(
  settings: Pick<Settings, 'companyName'>,
  { asunto, texto, enlace }: { asunto: string; texto: string; enlace?: string },
): { texto: string; html: string } {
  const company = settings.companyName || 'Enruta';
  const link = enlace ? `${ORIGIN}${enlace}` : undefined;
  return {
    texto: [texto, ...(link ? ['', `Ver en Enruta: ${link}`] : []), '', `— ${company}`].join('\n'),
    html: layout(
      asunto,
      `<p style="margin:0 0 16px">${escaped(texto)}</p>${link ? `<p style="margin:0 0 16px"><a href="${escaped(link)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#1d4ed8;color:#ffffff;text-decoration:none">Ver en Enruta</a></p>` : ''}`,
      company,
    ),
  };
}

export function mailDigest(mails: { asunto: string; texto: string; html: string }[]): { asunto: string; texto: string; html: string } {
  const asunto = `Resumen: ${mails.length} avisos`;
  return {
    asunto,
    texto: mails.map((mail) => mail.texto).join('\n\n――――――\n\n'),
    html: layout(
      asunto,
      mails
        .map((mail) => `<p style="margin:0 0 12px;padding:0 0 12px;border-bottom:1px solid #e5e7eb">${escaped(mail.asunto)}</p>`)
        .join(''),
      'Enruta',
    ),
  };
}

/** Placeholder for the program's origin, filled in on sending. */
const ORIGIN = '{{origin}}';

/** Fills in the program's origin; without one, takes the links out, because nobody could open them. */
export const withOrigin = (text: string, origin: string | undefined): string =>
  origin === undefined ? text.replace(LINKED, '') : text.replaceAll(ORIGIN, origin);
const LINKED = /\nVer en Enruta: \{\{origin\}\}.*\n|<p[^>]*><a href="\{\{origin\}\}.*?<\/a><\/p>/g;

/** Placeholder for a link that is encrypted until the mail is sent. */
export const LINK = '{{enlace}}';

const layout = (title: string, body: string, company: string): string =>
  `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body style="margin:0;background:#f3f4f6;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#111827"><div style="max-width:560px;margin:24px auto;padding:24px;background:#ffffff;border-radius:8px"><h1 style="margin:0 0 16px;font-size:18px">${escaped(title)}</h1>${body}<p style="margin:16px 0 0;color:#4b5563;font-size:13px">${escaped(company)}</p></div></body></html>`;
