import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import type { PagoPage } from '../../contract/pagar/page.ts';
import { expectAccessible, onPhone } from '../../test/web/app.tsx';
import { textsOf } from '../../test/web/list.ts';
import { holdWaits } from '../../test/web/waits.ts';
import { takeLeft } from '../../test/web/watch.ts';
import { startPage } from './client.ts';
import { renderPage } from './page.tsx';

/* The customer's page as the server renders it, with its script and without it: paying and, once paid, following the order. */

const NUMERO = 'ORD-2026000017';
const IBAN = 'ES9121000418450200051332';
const EPC = `BCD\n002\n1\nSCT\nCAIXESBBXXX\nAlacena S.L.\n${IBAN}\nEUR1234.50\n\n\n${NUMERO}`;
const CONTACTO = { telefono: '953 12 34 56', email: 'hola@alacena.test', whatsapp_url: 'https://wa.me/34600112233' };
const PROVIDERS = {
  stripe: [{ id: 'stripe', label: 'Pagar con tarjeta o Bizum' }],
  redsys: [
    { id: 'tarjeta', label: 'Pagar con tarjeta' },
    { id: 'bizum', label: 'Pagar con Bizum' },
  ],
};
const PAID = { pendiente: 0, por_pagar: false, transferencia: null, metodos: {}, simulador: false };

let pago: PagoPublico;
const become = (fields: Partial<PagoPublico>): undefined => void (pago = { ...pago, ...fields });
beforeEach(async () => {
  await onPhone();
  const line = { producto: 'Aceite – Caja de 6', cantidad: 1 };
  pago = {
    numero_orden: NUMERO,
    zona_horaria: 'Europe/Madrid',
    cliente_nombre: 'Lucía Prados',
    ...line,
    lineas: [{ ...line, precio_total: 1234.5 }],
    envio: 0,
    descuento: 0,
    total: 1234.5,
    pendiente: 1234.5,
    pagado: 0,
    por_pagar: true,
    contra_reembolso: false,
    estado: 'pendiente_pago',
    fecha_pedido: '2026-11-20T09:00:00.000Z',
    fecha_estimada: null,
    fecha_completado: null,
    entrega_anulada_at: null,
    fecha_si_paga: null,
    direccion: 'Calle Mayor 3, 28013 Madrid',
    intentos: [],
    dias_posibles: [],
    aviso: null,
    situaciones: [],
    en_empresa: null,
    proximo_intento: null,
    numero_seguimiento: null,
    seguimiento_url: null,
    metodo_entrega: null,
    empresa: 'Alacena S.L.',
    transferencia: { beneficiario: 'Alacena S.L.', iban: IBAN, bic: 'CAIXESBBXXX', concepto: NUMERO, epc: EPC },
    transferencia_avisada: false,
    transferencia_hasta: null,
    metodos: {},
    intento_fallido: false,
    devoluciones: [],
    contacto: CONTACTO,
    simulador: false,
  };
  acts = {};
  vi.spyOn(window, 'fetch').mockImplementation(async (address, init) => {
    if (isOffline) throw new TypeError('Failed to fetch');
    if (init?.method !== 'POST') return new Response(String(address).includes('qr.png') ? PNG : renderPage(pageOf()).html);
    const act = String(address).split('/').at(-1) ?? '';
    const { clave, ...form } = Object.fromEntries(init.body as URLSearchParams);
    sent.push({ act, clave, ...form });
    const refusal = acts[act]?.(form);
    return new Response(renderPage(pageOf(refusal ? { error: { message: refusal, act, typed: form } } : {})).html);
  });
});
afterEach(() => leave());

const LOGO = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const PNG = new Blob([Uint8Array.from({ length: 600 })], { type: 'image/png' });
let isOffline = false;
/** Acts of the customer; each returns the refusal, if any. */
let acts: Record<string, (form: Record<string, string>) => string | undefined> = {};
const sent: Record<string, string | undefined>[] = [];
const pageOf = (fields: Partial<PagoPage> = {}): PagoPage => ({
  path: '/pagar/una-llave',
  origin: '',
  script: '',
  color: '#3b82f6',
  empresa: { empresa: pago.empresa, contacto: pago.contacto, ...(pago.logo && { logo: pago.logo }) },
  pago,
  outcome: undefined,
  clave: crypto.randomUUID(),
  ...fields,
});
let leave = () => {};
/** Opens the page as it is now; without `script`, as in a browser that runs none. */
function see(fields: Partial<PagoPage> = {}, script = true): void {
  leave();
  isOffline = false;
  sent.length = 0;
  const rendered = new DOMParser().parseFromString(renderPage(pageOf(fields)).html, 'text/html');
  const parts = [...rendered.querySelectorAll('style'), ...rendered.body.children];
  document.documentElement.lang = 'es';
  document.head.append(...parts.filter(({ tagName }) => tagName === 'STYLE'));
  document.body.append(...parts.filter(({ tagName }) => tagName !== 'STYLE'));
  const stop = script ? startPage() : () => undefined;
  leave = () => {
    stop();
    document.documentElement.className = '';
    for (const part of parts) part.remove();
    document.querySelector('main')?.remove();
  };
}
const title = (name: string) => expect.element(page.getByRole('heading', { level: 1, name })).toBeVisible();
const block = (name: string) => page.getByRole('region', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
/** Current step of the progress bar. */
const now = () => {
  const steps = page.getByRole('listitem').elements();
  return steps.filter(({ ariaCurrent }) => ariaCurrent === 'step').map(({ textContent }) => textContent);
};
function clipboard(): string[] {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  return copied;
}

test('the payment page says whom to ask if the shop has no bank account', async () => {
  become({ transferencia: null });
  see();
  await title('Paga tu pedido');
  await expect.element(block('Transferencia bancaria')).toMatchTextContent('Todavía no hay una cuenta a la que hacer la transferencia');
  await expect.element(page.getByRole('img')).not.toBeInTheDocument();
  await expectAccessible();
});

test('the payment page shows the ordered goods, and the transfer details to copy or scan', async () => {
  const copied = clipboard();
  see();
  const transfer = block('Transferencia bancaria');
  for (const text of ['Alacena S.L.', 'ES91 2100 0418 4502 0005 1332', 'CAIXESBBXXX', 'Escanéalo con la app de tu banco'])
    await expect.element(transfer).toMatchTextContent(text);
  const qr = transfer.getByRole('img', { name: 'Código QR con los datos de la transferencia' });
  await expect.element(qr).toHaveAttribute('src', '/pagar/una-llave/qr.png?importe=1234.5');
  await button('Copiar IBAN').click();
  await expect.element(button('Copiado ✓')).toBeVisible();
  await expect.element(button('Copiar IBAN'), { timeout: 5000 }).toBeVisible();
  await button('Copiar concepto').click();
  await expect.element(button('Copiado ✓')).toBeVisible();
  expect(copied).toEqual([IBAN, NUMERO]);

  for (const text of [NUMERO, 'Lucía Prados', 'Aceite – Caja de 6']) await expect.element(block('Tu pedido')).toMatchTextContent(text);
  expect(now()).toEqual([expect.stringContaining('Esperando tu pago')]);
  await expect.element(page.getByRole('button', { name: /Simular/ })).not.toBeInTheDocument();
  await expectAccessible();
});

test('the goods with their address and day of arrival come before the ways to pay', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T09:00:00Z') });
  become({ fecha_si_paga: '2026-11-25T11:00:00.000Z' });
  see();
  await expect.element(block('Tu pedido')).toMatchTextContent(/1 pack.*Calle Mayor 3, 28013 Madrid.*El miércoles 25, si se paga hoy/);
  await expect.element(page.getByText(/Si se paga hoy, te llega el miércoles 25\./)).toBeVisible();
  const tops = ['Tu pedido', 'Transferencia bancaria'].map((name) => block(name).element().getBoundingClientRect().top);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
});

test('an order to be paid at the door shows its progress before the ways to pay online', async () => {
  become({ contra_reembolso: true, estado: 'en_ruta' });
  see();
  await title('Tu pedido va de camino');
  const tops = ['Cómo va tu pedido', 'Tu pedido', 'Transferencia bancaria'].map(
    (name) => block(name).element().getBoundingClientRect().top,
  );
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
});

test('the promised day is shown only while it is still the best estimate', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T09:00:00Z') });
  const shown = async (fields: Partial<PagoPublico>) => {
    become({ ...PAID, estado: 'en_ruta', fecha_estimada: '2026-11-25T11:00:00.000Z', ...fields });
    see();
    await expect.element(block('Cómo va tu pedido')).toBeVisible();
    return block('Cómo va tu pedido').element().textContent?.includes('Prevista');
  };
  expect(await shown({})).toBe(true);
  expect(await shown({ fecha_estimada: '2026-11-23T11:00:00.000Z' })).toBe(false);
  expect(await shown({ fecha_estimada: '2026-11-24T11:00:00.000Z' })).toBe(true);
  expect(await shown({ situaciones: ['espera_respuesta'] })).toBe(false);
  expect(await shown({ situaciones: [] })).toBe(true);
  expect(await shown({ llegada: { paradas: 0, desde: '2026-11-24T09:15:00.000Z', hasta: '2026-11-24T10:00:00.000Z' } })).toBe(false);
});

test('a failed delivery is shown among the steps, with its reason and the next attempt', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T18:00:00Z') });
  const again = { proximo_intento: '2026-11-25T11:00:00.000Z' };
  become({ ...PAID, ...again, estado: 'asignado', intentos: [{ fecha: '2026-11-24T11:00:00.000Z', causa: 'Ausente' }] });
  see();
  await title('No hemos podido entregarlo');
  const text = 'Hemos intentado entregarlo hoy y no había nadie. Volveremos a intentarlo el miércoles 25.';
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(block('Cómo va tu pedido')).toMatchTextContent(/Intento del 24\/11\/2026: ausente.*Prevista para el 25\/11\/2026/);
  await expectAccessible();
});

test('the payment page says that there is no network until the network is back', async () => {
  const again = holdWaits(2500);
  see();
  await title('Paga tu pedido');
  isOffline = true;
  dispatchEvent(new Event('offline'));
  await expect.element(page.getByText(/^Sin conexión desde las/)).toBeVisible();
  isOffline = false;
  again();
  await expect.element(page.getByText(/^Sin conexión desde las/)).not.toBeInTheDocument();
});

test('an order of several lines shows the amount of each line, shipping, discount and total', async () => {
  const lineas = [
    { producto: 'Aceite – Lata', cantidad: 3, precio_total: 30 },
    { producto: 'Vino – Botella', cantidad: 2, precio_total: 60 },
  ];
  become({ producto: 'Aceite – Lata y 1 más', cantidad: 5, lineas, envio: 4.95, descuento: 2, total: 92.95, pagado: 50, pendiente: 42.95 });
  see();
  await expect
    .element(block('Tu pedido'))
    .toMatchTextContent(/3 × Aceite – Lata30,00\s€2 × Vino – Botella60,00\s€Envío4,95\s€Descuento−2,00\s€Total92,95\s€Ya pagado50,00\s€$/);
  await expect.element(block('Tu pedido')).not.toMatchTextContent('y 1 más');
  await expectAccessible();
});

test('the amount due is shown once, with a button that copies it in a format that banks accept', async () => {
  const copied = clipboard();
  see();
  await title('Paga tu pedido');
  expect(page.getByText(/1\.234,50\s€/).elements()).toHaveLength(1);
  await button('Copiar importe').click();
  await expect.element(button('Copiado ✓')).toBeVisible();
  expect(copied).toEqual(['1234,50']);
});

test('the QR code can be saved as a picture, and shared on a phone', async () => {
  const shared: string[] = [];
  Object.assign(navigator, {
    canShare: () => true,
    share: async ({ files = [] }: ShareData) => void shared.push(...files.map(({ name, type, size }) => `${name} ${type} ${size > 500}`)),
  });
  see();
  const keep = page.getByRole('link', { name: 'Guardar el QR' });
  await expect.element(keep).toHaveAttribute('download', `QR ${NUMERO}.png`);
  await expect.element(keep).toHaveAttribute('href', '/pagar/una-llave/qr.png?importe=1234.5');
  await button('Compartir el QR').click();
  await expect.poll(() => shared).toEqual([`QR ${NUMERO}.png image/png true`]);
  for (const name of ['canShare', 'share']) Reflect.deleteProperty(navigator, name);
});

test('contact details stay on the page of a cancelled order, which asks for no payment', async () => {
  const ways = async () => {
    const contact = block('¿Tienes alguna duda?');
    for (const [name, href] of [
      ['Llamar al 953 12 34 56', 'tel:953123456'],
      ['Escribir a hola@alacena.test', 'mailto:hola@alacena.test'],
      ['WhatsApp', 'https://wa.me/34600112233'],
    ] as const)
      await expect.element(contact.getByRole('link', { name })).toHaveAttribute('href', href);
  };
  see();
  await title('Paga tu pedido');
  await ways();
  become({ ...PAID, estado: 'cancelado' });
  see();
  await title('Pedido cancelado');
  await ways();
  await expect.element(page.getByText(/^Ya no hay que pagarlo\./)).toBeVisible();
  await expect.element(page.getByText(/ES91/)).not.toBeInTheDocument();
  await expectAccessible();
});

test('an order cancelled after payment shows when its money is refunded', async () => {
  become({ ...PAID, estado: 'cancelado', devoluciones: [{ importe: 1234.5, hecha: false, fecha: '2026-12-04' }] });
  see();
  await expect.element(block('Devolución')).toMatchTextContent(/Te devolvemos 1\.234,50\s€ como muy tarde el 04\/12\/2026/);
  await expectAccessible();
  become({ devoluciones: [{ importe: 1234.5, hecha: true, fecha: '2026-11-25' }] });
  see();
  await expect.element(block('Devolución')).toMatchTextContent(/Te devolvimos 1\.234,50\s€ el 25\/11\/2026/);
});

test('a refresh says what has changed, and keeps the customer’s input', async () => {
  const inTwentySeconds = holdWaits(20_000);
  become({ ...PAID, estado: 'en_proceso', dias_posibles: ['2026-11-25', '2026-11-26'] });
  see();
  await page.getByText('No voy a estar').click();
  await page.getByLabelText(/^Nota para el transportista/).fill('Mejor por la tar');
  become({ estado: 'en_ruta', dias_posibles: ['2026-11-26'] });
  inTwentySeconds();
  await title('Tu pedido va de camino');
  await expect.element(page.getByText('Ha cambiado: Tu pedido va de camino, Cómo va tu pedido')).toBeVisible();
  await expect.element(page.getByLabelText(/^Nota para el transportista/)).toHaveValue('Mejor por la tar');
});

test('the open page of a paid order follows the order to its delivery without a reload', async () => {
  const inTwentySeconds = holdWaits(20_000);
  see();
  await title('Paga tu pedido');
  const follow = async (fields: Partial<PagoPublico>, heading: string, ...step: string[]) => {
    become(fields);
    inTwentySeconds();
    await title(heading);
    expect(now()).toEqual(step.map((words) => expect.stringContaining(words)));
  };
  await follow({ ...PAID, estado: 'pendiente' }, 'Pago recibido', 'Buscando transportista');
  await expect.element(block('Transferencia bancaria')).not.toBeInTheDocument();
  await follow({ estado: 'asignado' }, 'Tu pedido ya tiene transportista', 'En preparación');
  await follow({ estado: 'en_proceso' }, 'Estamos preparando tu pedido', 'En preparación');
  await follow({ estado: 'en_ruta' }, 'Tu pedido va de camino', 'En caminoHa salido a reparto');
  const llegada = { paradas: 2, desde: '2026-11-25T09:15:00.000Z', hasta: '2026-11-25T10:00:00.000Z' };
  const comes = async (fields: typeof llegada, words: string) => {
    become({ llegada: fields });
    inTwentySeconds();
    await expect.poll(now).toEqual([expect.stringContaining(words)]);
  };
  await comes(llegada, 'En caminoLlega hoy, entre las 10:15 y las 11:00 · Quedan 2 paradas antes');
  // Times are shown in the shop's time zone.
  become({ zona_horaria: 'Atlantic/Canary' });
  await comes(llegada, 'En caminoLlega hoy, entre las 09:15 y las 10:00 · Quedan 2 paradas antes');
  become({ zona_horaria: 'Europe/Madrid' });
  await comes({ ...llegada, paradas: 0 }, 'y las 11:00 · Es la siguiente parada');
  await expectAccessible();

  const seguimiento_url = 'https://www.mrw.es/seguimiento/MRW-77';
  await follow({ estado: 'completado', metodo_entrega: 'mrw', numero_seguimiento: 'MRW-77', seguimiento_url }, 'Pedido entregado');
  const summary = block('Tu pedido');
  await expect.element(summary.getByText('MRW', { exact: true })).toBeVisible();
  const link = summary.getByRole('link', { name: 'Seguir el envío MRW-77' });
  await expect.element(link).toHaveAttribute('href', seguimiento_url);
  await expect.element(link).toHaveAttribute('rel', 'noreferrer');
  await expectAccessible();
});

test('the demo offers a simulated payment, and says that it is simulated', async () => {
  become({ simulador: true });
  acts.simular = () => become({ ...PAID, estado: 'pendiente' });
  see();
  await button('Simular pago (demo)').click();
  await title('Pago recibido');
  await expect.element(button('Simular pago (demo)')).not.toBeInTheDocument();
});

test('an unknown payment link says so, and shows the shop’s name and contact', async () => {
  see({ pago: undefined as never });
  await title('No encontramos este pedido');
  await expect.element(page.getByText(/pide el enlace otra vez a quien te lo envió/)).toBeVisible();
  await expect.element(page.getByText('Alacena S.L.', { exact: true })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Escribir a hola@alacena.test' })).toBeVisible();
  await expectAccessible();
});

test('a failure of the server shows what happened and a way to retry', async () => {
  const message = 'Ha ocurrido un error inesperado. Si se repite, indica este código: r-17';
  see({ pago: undefined as never, empresa: undefined as never, error: { message, typed: {} } });
  await expect.element(page.getByRole('alert')).toMatchTextContent(message);
  await expect.element(page.getByRole('link', { name: 'Reintentar' })).toHaveAttribute('href', '/pagar/una-llave');
  await expectAccessible();
});

test('instant ways to pay come before the bank transfer', async () => {
  become({ metodos: PROVIDERS });
  see();
  await expect
    .poll(() => textsOf(page.getByRole('heading', { level: 2 })))
    .toEqual(['Tu pedido', 'Pago al momento', 'Transferencia bancaria', 'Cómo va tu pedido', '¿Tienes alguna duda?']);
  await expectAccessible();
});

test('a way to pay is a form that the browser itself follows, and no second click sends it again', async () => {
  become({ metodos: PROVIDERS });
  see();
  await button('Pagar con Bizum').click();
  expect(takeLeft()).toEqual(['form /pagar/una-llave/pago']);
  await expect.element(button('Pagar con Bizum')).toHaveAttribute('value', 'redsys.bizum');
  // The browser is navigating to the provider.
  await expect.element(button('Pagar con tarjeta')).toBeDisabled();
});

test('a bank’s signed form is posted by the script, or by a button', async () => {
  const url = 'https://sis-t.redsys.es:25443/sis/realizarPago';
  const fields = { Ds_MerchantParameters: 'firmado', Ds_Signature: 'firma' };
  const posted: unknown[] = [];
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    posted.push([this.method, this.action, Object.fromEntries(new FormData(this))]);
  });
  see({ leaving: { url, fields } });
  expect(posted).toEqual([['post', url, fields]]);
  await title('Te llevamos a la página segura del banco');
  await expect.element(button('Continuar')).toBeVisible();
  await expectAccessible();
});

test('a customer who returns from the bank waits for the confirmation, or goes back to the ways to pay', async () => {
  become({ metodos: PROVIDERS });
  const inThreeSeconds = holdWaits(3000);
  see({ outcome: 'ok' });
  await title('Estamos confirmando tu pago');
  await expect.element(block('Pago al momento')).not.toBeInTheDocument();
  await expectAccessible();
  const back = page.getByRole('link', { name: 'Volver a las formas de pago' });
  await expect.element(back).toHaveAttribute('href', '/pagar/una-llave');

  see({ outcome: 'ok' });
  await title('Estamos confirmando tu pago');
  become({ ...PAID, estado: 'pendiente' });
  inThreeSeconds();
  await title('Pago recibido');
  await expect.element(block('Pago al momento')).not.toBeInTheDocument();
});

test('a refused payment is reported to a customer who waits for the confirmation, and can be retried', async () => {
  become({ metodos: PROVIDERS });
  const inThreeSeconds = holdWaits(3000);
  see({ outcome: 'ok' });
  await title('Estamos confirmando tu pago');
  become({ intento_fallido: true });
  inThreeSeconds();
  await expect.element(page.getByText(/^El pago no se ha completado/)).toBeVisible();
  await expect.element(button('Pagar con tarjeta')).toBeEnabled();
});

test('a payment that the customer abandoned is reported until the order is paid', async () => {
  become({ metodos: PROVIDERS });
  see({ outcome: 'ko' });
  await expect.element(page.getByRole('status').filter({ hasText: 'El pago no se ha completado' })).toBeVisible();
  await expect.element(button('Pagar con Bizum')).toBeEnabled();
  become({ ...PAID, estado: 'pendiente' });
  see();
  await title('Pago recibido');
  await expect.element(page.getByText(/^El pago no se ha completado/)).not.toBeInTheDocument();
});

test('«Ya he hecho la transferencia» is sent once, and the page then says so first', async () => {
  acts.transferencia = () => become({ transferencia_avisada: true, transferencia_hasta: '2026-12-03' });
  become({ metodos: PROVIDERS, fecha_si_paga: '2026-11-25T11:00:00.000Z' });
  see();
  await button('Ya he hecho la transferencia').dblClick();
  await title('Esperamos tu transferencia');
  await expect.element(page.getByText('Hecho. Esperamos tu transferencia')).toBeVisible();
  const top = () => document.querySelector('h1')?.getBoundingClientRect().top;
  expect(top(), 'the confirmation is in view').toBeGreaterThanOrEqual(0);
  expect(top()).toBeLessThan(innerHeight / 2);
  const words =
    'Nos has dicho que ya has hecho la transferencia. Alacena S.L. comprobará que ha llegado. Si no llega antes del 03/12/2026, el pedido se cancelará.';
  expect(document.querySelector('h1 + p')?.textContent).toBe(words);
  await expect.element(button('Ya he hecho la transferencia')).not.toBeInTheDocument();
  expect(now()).toEqual([expect.stringContaining('Esperando tu transferencia')]);
  await expect.element(page.getByText(/si se paga hoy/i)).not.toBeInTheDocument();
  // The ways to pay come last, so that nobody pays twice.
  expect(textsOf(page.getByRole('heading', { level: 2 }))).toEqual([
    'Tu pedido',
    'Cómo va tu pedido',
    'Pago al momento',
    'Transferencia bancaria',
    '¿Tienes alguna duda?',
  ]);
  expect(sent).toEqual([{ act: 'transferencia', clave: expect.stringMatching(/^[\w-]{36}$/) }]);
  await expectAccessible();
});

test('a refused act is reported, and one that was not sent can be sent again with the same key', async () => {
  acts.transferencia = () => 'Esta tienda no cobra por transferencia: ponte en contacto con ella';
  see();
  await button('Ya he hecho la transferencia').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/no cobra por transferencia/);
  isOffline = true;
  await button('Ya he hecho la transferencia').click();
  await expect.element(page.getByText(/^No se pudo enviar/)).toBeVisible();
  await expect.element(button('Ya he hecho la transferencia')).toBeEnabled();
  acts.transferencia = () => become({ transferencia_avisada: true });
  isOffline = false;
  await button('Ya he hecho la transferencia').click();
  await title('Esperamos tu transferencia');
});

test('a customer who will be away chooses another day and leaves a note', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T09:00:00Z') });
  become({ ...PAID, estado: 'en_ruta', dias_posibles: ['2026-11-25', '2026-11-26', '2026-11-27'] });
  acts.aplazar = ({ dia }) => (dia ? become({ aviso: 'Entregar el jueves 26 de noviembre. Mejor por la tarde' }) : 'Elige un día');
  see();
  await page.getByText('No voy a estar').click();
  await button('Avisar').click();
  await expect.element(page.getByText('Elige un día')).toBeVisible();
  await page.getByRole('radio', { name: /jueves 26/ }).click();
  await page.getByLabelText(/^Nota para el transportista/).fill('Mejor por la tarde');
  await expectAccessible();
  await button('Avisar').click();
  await expect
    .element(block('Si no vas a estar'))
    .toMatchTextContent('Se lo hemos dicho al transportista: Entregar el jueves 26 de noviembre. Mejor por la tarde');
  expect(sent.at(-1)).toMatchObject({ act: 'aplazar', dia: '2026-11-26', nota: 'Mejor por la tarde' });
  await expect.element(page.getByText('Cambiar el día')).toBeVisible();
});

test('a delivered order cannot be postponed', async () => {
  become({ ...PAID, estado: 'completado', fecha_completado: '2026-11-24T09:00:00.000Z' });
  see();
  await title('Pedido entregado');
  await expect.element(page.getByText('No voy a estar')).not.toBeInTheDocument();
});

test('only a shop with proofs of delivery shows the PIN and asks about the neighbour', async () => {
  become({ ...PAID, estado: 'en_ruta' });
  see();
  await title('Tu pedido va de camino');
  expect(page.getByRole('region', { name: 'Para la entrega' }).elements()).toEqual([]);

  become({ entrega: { pin: '0417', vecino: { permitido_at: null }, texto: null, pruebas: [] } });
  acts.vecino = ({ permitido }) =>
    become({
      entrega: { pin: '0417', vecino: { permitido_at: permitido === 'si' ? '2026-11-24T10:00:00.000Z' : null }, texto: null, pruebas: [] },
    });
  see();
  await expect.element(block('Para la entrega')).toMatchTextContent(/0417/);
  await expectAccessible();
  await button('Puedes dejarlo a un vecino').click();
  await expect.element(block('Para la entrega')).toMatchTextContent(/dijiste que podemos dejarlo a un vecino/);
  await button('Ya no quiero que se deje a un vecino').click();
  await expect.element(button('Puedes dejarlo a un vecino')).toBeVisible();
});

test('a delivered order shows who received it, with the signature', async () => {
  const pruebas = [{ tipo: 'firma' as const, url: '/favicon.svg' }];
  become({ ...PAID, estado: 'completado', entrega: { pin: null, vecino: null, texto: 'A otra persona: Luis (portero)', pruebas } });
  see();
  await expect.element(block('Cómo se entregó')).toMatchTextContent(/A otra persona: Luis .portero./);
  await expect.element(page.getByRole('img', { name: 'Firma de la entrega' })).toBeVisible();
  await expectAccessible();
});

test('the shop’s logo stands beside its name, in place of the logo of Enruta', async () => {
  become({ logo: LOGO });
  see();
  await expect.element(page.getByText('Alacena S.L.').first()).toBeVisible();
  expect(document.querySelector('header img')?.getAttribute('src')).toBe(LOGO);
  expect(document.querySelectorAll('header img')).toHaveLength(1);
});

const DELIVERED = { ...PAID, estado: 'completado', fecha_completado: '2026-11-22T11:00:00.000Z' } as const;

test('a partial delivery shows the missing packs of each line and the amount to be refunded', async () => {
  const second = { producto: 'Miel – Tarro', cantidad: 4, precio_total: 10 };
  become({
    ...DELIVERED,
    lineas: [{ producto: 'Aceite – Caja de 6', cantidad: 2, precio_total: 25 }, second],
    cantidad: 6,
    total: 35,
    pagado: 35,
    parcial: {
      lineas: [
        { producto: 'Aceite – Caja de 6', pedidas: 2, faltan: [{ cantidad: 1, motivo: 'rechazado' }] },
        {
          producto: 'Miel – Tarro',
          pedidas: 4,
          faltan: [
            { cantidad: 1, motivo: 'falta' },
            { cantidad: 2, motivo: 'danado' },
          ],
        },
      ],
      ...{ valor: 20, sin_pagar: 0, por_devolver: 20, devuelto: 0, pasado: 0, resto: null },
    },
    devoluciones: [{ importe: 20, hecha: false, fecha: '2026-12-06' }],
  });
  see();
  await title('Pedido entregado en parte');
  const parts = block('Lo que se ha entregado');
  await expect.element(parts).toMatchTextContent(/Aceite – Caja de 6.*1 no lo quisiste.*1 de 2/);
  await expect.element(parts).toMatchTextContent(/Miel – Tarro.*1 no venía · 2 estaban dañados.*1 de 4/);
  await expect.element(parts).toMatchTextContent(/Te devolvemos 20,00\s€ de lo que ya habías pagado\./);
  await expect.element(block('Tu pedido')).toMatchTextContent(/Total35,00\s€.*No entregado−20,00\s€.*Total de lo entregado15,00\s€/);
  await expect.element(block('Cómo va tu pedido')).toMatchTextContent(/En parte, el 22\/11\/2026/);
  await expectAccessible();
});

test('a partial delivery links to the order that brings the rest, and says how that order is paid', async () => {
  const lineas = [{ producto: 'Aceite', pedidas: 2, faltan: [{ cantidad: 1, motivo: 'falta' as const }] }];
  const resto = { numero_orden: 'ORD-2026000018', url: '/pagar/otra-llave', cancelado: false };
  become({ ...DELIVERED, parcial: { lineas, valor: 12.5, sin_pagar: 0, por_devolver: 0, devuelto: 0, pasado: 12.5, resto } });
  see();
  const parts = block('Lo que se ha entregado');
  await expect
    .element(parts)
    .toMatchTextContent(/Lo que falta te llega en otro pedido: ORD-2026000018\. Ya está pagado con 12,50\s€ de este\./);
  await expect.element(parts.getByRole('link', { name: 'ORD-2026000018' })).toHaveAttribute('href', '/pagar/otra-llave');
  await expect.element(parts).not.toMatchTextContent(/devolvemos|cobra/);
});

test.each([
  ['on its way to be paid at the door', { estado: 'en_ruta', contra_reembolso: true }, /Pago.*Al recibirlo: 25,00\s€$/],
  ['delivered and not paid', { estado: 'completado', contra_reembolso: false }, /Pago.*Queda por pagar: 25,00\s€$/],
  ['delivered with less than was due', { estado: 'completado', contra_reembolso: true }, /Pago.*Queda por pagar: 25,00\s€$/],
] as const)('the payment of an order %s stands last and unticked', async (_, fields, words) => {
  become({ ...PAID, por_pagar: true, pendiente: 25, total: 25, ...fields });
  see();
  await expect.element(block('Cómo va tu pedido')).toMatchTextContent(words);
  await expect.element(block('Cómo va tu pedido')).not.toMatchTextContent(/Pago, hecho|Todavía por pagar/);
  await expectAccessible();
});

test('without a script the page offers everything but copies, as forms and links', async () => {
  become({
    metodos: PROVIDERS,
    simulador: true,
    dias_posibles: ['2026-11-25'],
    entrega: { pin: null, vecino: { permitido_at: null }, texto: null, pruebas: [] },
  });
  see({}, false);
  await title('Paga tu pedido');
  for (const name of ['Copiar IBAN', 'Copiar importe', 'Compartir el QR']) await expect.element(button(name)).not.toBeInTheDocument();
  await expect.element(page.getByText('Vuelve a cargar esta página para ver cómo va tu pedido: guarda su dirección.')).toBeVisible();
  await expect.element(page.getByText(/se actualiza sola/)).not.toBeVisible();
  const forms = [...document.querySelectorAll('form')].map(({ method, action, elements }) => [
    method,
    new URL(action).pathname,
    [...elements].flatMap((field) => field.getAttribute('name') ?? []),
  ]);
  expect(forms).toEqual([
    ['post', '/pagar/una-llave/pago', ['clave', 'metodo', 'metodo', 'metodo']],
    ['post', '/pagar/una-llave/transferencia', ['clave']],
    ['post', '/pagar/una-llave/simular', ['clave']],
    ['post', '/pagar/una-llave/aplazar', ['clave', 'dia', 'nota']],
    ['post', '/pagar/una-llave/vecino', ['clave', 'permitido']],
  ]);
  await expectAccessible();
  see({ error: { message: 'Elige un día', act: 'aplazar', typed: { nota: 'Mejor por la tarde' } } }, false);
  await expect.element(page.getByRole('alert')).toMatchTextContent('Elige un día');
  await expect.element(page.getByLabelText(/^Nota para el transportista/)).toHaveValue('Mejor por la tarde');
});
