import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ACTOS, type Acto, type PagoPage } from '../../contract/pagar/page.ts';
import { aplazarEntrega } from '../../contract/pagar/schemas.ts';
import type { Db } from '../db/open.ts';
import { PAGE_DIST, WEB_DIST } from '../kit/build-web.ts';
import { asAnswer, DomainError, invalid, notFound } from '../kit/errors.ts';
import { readSettings } from '../settings/settings.ts';
import { findByToken } from './find.ts';
import { letNeighbour, type Offered, postponeDelivery, readEmpresa, readPago, reportTransfer, simulatePago } from './payments.ts';
import type { Destination } from './provider.ts';

/* The customer's page as HTML, which works without JavaScript (decision 108). The API's endpoints do the same acts for programs. */

type Start = (token: string, proveedor: string, metodo: string | undefined) => Promise<Destination>;
type Options = { db: Db; offered: Offered; origin: string; formActions: readonly string[]; start: Start };
type Form = Record<string, string>;
type Render = (page: PagoPage) => { html: string; style: string };

/** How the page is drawn, and its script's address; only tests change these values. */
export const DRAWN = {
  render: async (): Promise<Render> => (await import(pathToFileURL(join(PAGE_DIST, 'page.js')).href)).renderPage,
  script: (): string => {
    const list = join(WEB_DIST, 'shell.json');
    return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')).pagar : '';
  },
};

/** Time in ms within which a second click on a way to pay opens the same page; later, a provider could refuse to open the page again. */
const SAME_PAYMENT_MS = 60_000;

/** Registers the customer's page, its QR code and its forms. */
export function pagoPage(app: FastifyInstance, { db, offered, origin, formActions, start }: Options): void {
  let script: string | undefined;
  async function send(request: FastifyRequest, reply: FastifyReply, status: number, more: Partial<PagoPage>) {
    const render = await DRAWN.render();
    script ??= DRAWN.script();
    const { token } = request.params as { token: string };
    const { pago } = request.query as { pago?: unknown };
    const color = await readSettings(db).then(
      ({ primaryColor }) => primaryColor,
      () => '#3b82f6',
    );
    const outcome: PagoPage['outcome'] = pago === 'ok' || pago === 'ko' ? pago : undefined;
    const page = { path: `/pagar/${encodeURIComponent(token)}`, origin, script, clave: randomUUID(), outcome, ...more, color };
    const { html, style } = render(page);
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('x-robots-tag', 'noindex')
      .header('content-security-policy', policy(style, formActions))
      .send(html);
  }

  /** Sends the page with the current order; after a refusal, with the error's sentence. */
  async function sendOrder(request: FastifyRequest, reply: FastifyReply, error?: PagoPage['error'], status = 200) {
    const { token } = request.params as { token: string };
    const empresa = await readEmpresa(db);
    try {
      const pago = await readPago(db, token, offered);
      // The page of a cancelled order answers 410.
      return send(request, reply, status === 200 && pago.estado === 'cancelado' ? 410 : status, { empresa, pago, ...(error && { error }) });
    } catch (unknown) {
      if (!(unknown instanceof DomainError) || unknown.status !== 404) throw unknown;
      return send(request, reply, 404, { empresa });
    }
  }

  app.register((scope, _options, ready) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    );
    scope.setErrorHandler(async (thrown: Error, request, reply) => {
      const { status, body, headers } = asAnswer(thrown as DomainError, request);
      reply.headers(headers);
      const { acto } = request.params as { acto?: string };
      const error = { message: body.message, act: acto, typed: (request.body as Form | undefined) ?? {} };
      const failed = () => send(request, reply, status, { error });
      return status >= 500 && !acto ? failed() : sendOrder(request, reply, error, status).catch(failed);
    });

    scope.get('/pagar/:token', { config: { compressed: true } }, (request, reply) => sendOrder(request, reply));

    scope.get<{ Params: { token: string } }>('/pagar/:token/qr.png', async ({ params: { token } }, reply) => {
      const { transferencia } = await readPago(db, token, offered);
      if (!transferencia) throw notFound('Este pedido no se paga por transferencia');
      const { toBuffer } = await import('qrcode');
      // EPC069-12 requires error correction level M.
      return reply.type('image/png').send(await toBuffer(transferencia.epc, { errorCorrectionLevel: 'M', margin: 4, width: 480 }));
    });

    scope.post<{ Params: { token: string; acto: string } }>('/pagar/:token/:acto', async (request, reply) => {
      const { token, acto } = request.params;
      const { clave = '', ...form } = (request.body as Form | undefined) ?? {};
      const once = /^[\w-]{8,60}$/.test(clave) ? clave : randomUUID();
      refuseOtherSites(request, origin);
      const { id } = await findByToken(db, token);
      const key = acto === 'pago' ? `${once}.${hashOf(form.metodo ?? '')}.${Math.floor(Date.now() / SAME_PAYMENT_MS)}` : once;
      const leaving = await app.withIdempotencyKey(request, () => act(token, acto, form), { who: id, key });
      if (leaving) return send(request, reply, 200, { empresa: await readEmpresa(db), leaving });
      return reply.redirect(`/pagar/${encodeURIComponent(token)}${['aplazar', 'vecino'].includes(acto) ? `#${acto}` : ''}`, 303);
    });
    ready();
  });

  async function act(token: string, acto: string, { metodo = '', ...form }: Form): Promise<Destination | null> {
    if (acto === 'pago') {
      const [proveedor = '', method] = metodo.split('.');
      if (!proveedor) throw invalid('metodo', 'Elige cómo quieres pagar');
      return start(token, proveedor, method);
    }
    if (!isActo(acto)) throw notFound();
    await ACTS[acto](db, token, form, offered);
    return null;
  }
}

const isActo = (acto: string): acto is Acto => ACTOS.some((known) => known === acto);

const ACTS: Record<Acto, (db: Db, token: string, form: Form, offered: Offered) => Promise<void>> = {
  transferencia: (db, token) => reportTransfer(db, token),
  aplazar: async (db, token, form) => {
    if (!form.dia) throw invalid('dia', 'Elige un día');
    const { data, error } = aplazarEntrega.body.safeParse({ ...form, nota: form.nota || null });
    if (!data) throw invalid('dia', error.issues[0]?.message ?? 'Datos inválidos');
    await postponeDelivery(db, token, data);
  },
  vecino: (db, token, { permitido }) => letNeighbour(db, token, permitido === 'si'),
  simular: (db, token, _form, { demo }) => simulatePago(db, token, demo),
};

/** Throws 403 for a form of another site, which could otherwise act with a leaked address. Old browsers send only where a form comes from. */
function refuseOtherSites({ headers, host }: FastifyRequest, origin: string): void {
  const { 'sec-fetch-site': site, origin: from = headers.referer } = headers;
  const isOwn = site === undefined ? from === undefined || [host, hostOf(origin)].includes(hostOf(from)) : site === 'same-origin';
  if (!isOwn) throw new DomainError(403, 'Esta acción solo se puede hacer desde la página del pedido');
}
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : address);

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

/** Content security policy of the page: only scripts of this origin, and only the inlined style sheet. */
function policy(style: string, formActions: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${hashOf(style)}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formActions].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
