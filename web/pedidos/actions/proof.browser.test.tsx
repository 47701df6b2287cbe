import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { asDone } from '../../../contract/kit/endpoint.ts';
import { getPedido, listPedidos, type PedidoTransportista, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { hasMetadata } from '../../../contract/pruebas/jpeg.ts';
import { type ReglasEntrega, sendPrueba } from '../../../contract/pruebas/pruebas.ts';
import { getUser } from '../../../contract/session/session.ts';
import { contarNoAceptado } from '../../../contract/transportista/transportista.ts';
import { close, expectAccessible, onPhone, open, person, reload } from '../../../test/web/app.tsx';
import { server } from '../../../test/web/fake-server.ts';
import { aPedido, pageOf } from '../../../test/web/samples.ts';
import { expectAfter, holdWaits, passTime } from '../../../test/web/waits.ts';
import { smallPhoto } from './photo-field.tsx';

/* Proof of delivery in the dialog that completes an order. */

const RULES: ReglasEntrega = {
  en_mano: { receptor: 'ofrecida', firma: 'obligatoria', foto: 'no', pin: 'obligatoria' },
  otra_persona: { receptor: 'obligatoria', firma: 'no', foto: 'no', pin: 'no' },
  lugar_seguro: { foto: 'obligatoria' },
  empresa: { receptor: 'no', firma: 'no', foto: 'no' },
};
const NEGOCIO = { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false } as const;

let pedido: PedidoTransportista;
beforeEach(async () => {
  await onPhone();
  sessionStorage.clear();
  pedido = { ...aPedido({ estado: 'en_ruta', transportista_id: person('transportista').id }) };
  server.reply(listPedidos, () => pageOf([pedido]));
  server.reply(getPedido, () => ({ data: pedido }));
  server.reply(setEstado, () => asDone('Hecho', { ...pedido, estado: 'completado' }));
  server.reply(sendPrueba, () => asDone('Prueba guardada', { ...PRUEBA }));
});
const PRUEBA = {
  id: '00000000-0000-4000-8000-0000000000c1',
  tipo: 'firma',
  sha256: 'a',
  bytes: 9,
  created_at: '2026-11-24T10:00:00.000Z',
  url: null,
} as const;

const dialog = page.getByRole('dialog', { name: 'Completar Entrega' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const way = (name: string) => dialog.getByRole('radio', { name, exact: true });
const complete = () => dialog.getByRole('button', { name: 'Completar entrega', exact: true }).click();
const bodies = () => server.asked(setEstado).map(({ body }) => body);

async function openDialog(rules: ReglasEntrega | null = RULES) {
  open('/pedidos-asignados', 'transportista');
  server.answer(getUser, { user: person('transportista'), negocio: { ...NEGOCIO, ...(rules && { entrega: rules }) } });
  await page
    .getByRole('button', { name: /^Completar/ })
    .first()
    .click();
  await expect.element(dialog).toBeVisible();
  await way('Reparto propio').click();
}
async function sign() {
  await button('Firmar').click();
  const surface = page.getByRole('img', { name: 'Recuadro para firmar' });
  await expect.element(surface).toBeVisible();
  await expect.poll(() => (surface.element() as HTMLCanvasElement).width).not.toBe(300);
  const { left, top } = surface.element().getBoundingClientRect();
  const at = (type: string, x: number, y: number) =>
    surface.element().dispatchEvent(
      new PointerEvent(type, {
        clientX: left + x,
        clientY: top + y,
        pointerId: 1,
        pointerType: 'touch',
        buttons: type === 'pointerup' ? 0 : 1,
        bubbles: true,
        isPrimary: true,
        pressure: 0.7,
        cancelable: true,
      }),
    );
  at('pointerdown', 20, 20);
  for (let i = 1; i < 12; i += 1) at('pointermove', 20 + i * 12, 20 + (i % 3) * 15);
  at('pointerup', 170, 50);
  await expect.element(button('Aceptar firma')).toBeEnabled();
  return surface;
}
const ink = (canvas: Element) => {
  const { width, height } = canvas as HTMLCanvasElement;
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] };
  let dark = 0;
  for (let i = 0; i < data.length; i += 4) if ((data[i] ?? 255) < 128 && (data[i + 3] ?? 0) > 128) dark += 1;
  return dark;
};

test('a shop without proof of delivery completes an order without asking for proof', async () => {
  await openDialog(null);
  expect(way('En mano').elements()).toEqual([]);
  await complete();
  await expect.poll(bodies).toHaveLength(1);
  expect(bodies()[0]).not.toHaveProperty('forma_entrega');
  expect(server.asked(sendPrueba)).toEqual([]);
});

test('a delivery without its required proof is not sent, and Escape closes only the signature, not the form', async () => {
  await openDialog();
  await complete();
  await expect.element(dialog.getByText('Indica cómo se ha entregado')).toBeVisible();
  await way('En lugar seguro').click();
  await expect.element(dialog.getByText('Fotografía el paquete donde queda, nunca un DNI ni a una persona.')).toBeVisible();
  await expectAccessible(dialog.element());
  await way('A otra persona').click();
  await expect.element(dialog.getByText('El cliente no ha permitido dejarlo a un vecino')).toBeVisible();
  const relation = dialog.getByRole('combobox', { name: 'Relación con el cliente' });
  await relation.click();
  await expect.element(page.getByRole('option', { name: 'Vecino' })).toHaveAttribute('data-combobox-disabled');
  await relation.click();

  await way('En mano').click();
  await complete();
  await expect.element(dialog.getByText('Falta la firma')).toBeVisible();
  await expect.element(dialog.getByText('Pide al cliente el PIN de su página')).toBeVisible();
  const surface = await sign();
  await userEvent.keyboard('{Escape}');
  await expect.element(surface).not.toBeInTheDocument();
  await expect.element(dialog.getByText('Firmado')).toBeVisible();
  expect(page.getByRole('dialog', { name: 'Descartar los cambios' }).elements()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog', { name: 'Descartar los cambios' })).toBeVisible();
  expect(bodies()).toEqual([]);
});

test('without https a signature cannot be sent, and the form says so', async () => {
  await openDialog();
  await way('En mano').click();
  await sign();
  await button('Aceptar firma').click();
  vi.spyOn(window, 'isSecureContext', 'get').mockReturnValue(false);
  await complete();
  await expect.element(dialog.getByText(/^Firmas y fotos necesitan que Enruta se abra con https/)).toBeVisible();
  expect(bodies()).toEqual([]);
});

test('a signature survives a rotated telephone and a killed tab, and is sent after its step', async () => {
  await openDialog();
  await way('En mano').click();
  const surface = await sign();
  const drawn = ink(surface.element());
  expect(drawn).toBeGreaterThan(50);
  const kept = Object.values(sessionStorage).join('');
  expect(kept).toContain('firma');
  expect(kept).not.toMatch(/pressure|time/);
  await page.viewport(844, 390);
  await expect.poll(() => ink(surface.element())).toBeGreaterThan(50);
  const sheet = surface.element().closest('section');
  expect((sheet?.scrollHeight ?? 0) - (sheet?.clientHeight ?? 0)).toBeLessThanOrEqual(1);
  await page.viewport(390, 844);
  await expectAccessible(surface.element().closest('[role=dialog]') ?? undefined);
  await button('Aceptar firma').click();
  // A killed tab runs no clean-up.
  const stored = Object.entries(sessionStorage);
  close();
  for (const [name, value] of stored) sessionStorage.setItem(name, value);
  reload('transportista');
  server.answer(getUser, { user: person('transportista'), negocio: { ...NEGOCIO, entrega: RULES } });
  await expect.element(dialog.getByText('Firmado')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'PIN del cliente' }).fill('0417');
  await complete();
  await expect.poll(() => server.asked(sendPrueba)).toHaveLength(1);
  const [body] = bodies();
  expect(body).toMatchObject({
    forma_entrega: 'en_mano',
    pin: '0417',
    pruebas: [{ tipo: 'firma', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
  const [sent] = server.asked(sendPrueba);
  expect(sent?.headers.get('content-type')).toBe('image/png');
  expect(sent?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
});

async function completeSigned() {
  await openDialog();
  await way('En mano').click();
  await sign();
  await button('Aceptar firma').click();
  await dialog.getByRole('textbox', { name: 'PIN del cliente' }).fill('0417');
  await complete();
}
/** Completes a signed delivery, and lets the answer come after the form has closed. */
async function completeUnanswered() {
  const moment = holdWaits(1500);
  const answer = server.hold(setEstado);
  await completeSigned();
  await expectAfter(moment, dialog, 0);
  answer();
}
const keys = () => server.asked(sendPrueba).map(({ headers }) => headers.get('idempotency-key'));

test('a signature made without coverage is sent despite a closed tab and a lost answer', async () => {
  server.answer(setEstado, asDone('Hecho', { ...pedido, estado: 'completado' }));
  await openDialog();
  server.offline(true);
  await way('En mano').click();
  await sign();
  await button('Aceptar firma').click();
  await dialog.getByRole('textbox', { name: 'PIN del cliente' }).fill('0417');
  await complete();
  await expect.element(page.getByText(/Pendiente de enviar/)).toBeVisible();
  await expect.poll(() => Object.values(sessionStorage).join('')).not.toContain('firma');
  server.offline(false);
  server.lose(sendPrueba);
  await expect.poll(() => keys().length).toBeGreaterThan(0);
  close();
  pedido = { ...pedido, estado: 'completado' };
  reload('transportista');
  await expect.element(page.getByText(`Queda 1 foto o firma por enviar: ${pedido.numero_orden}`)).toBeVisible();
  server.answer(sendPrueba, asDone('Prueba guardada', { ...PRUEBA }));
  server.offline(true);
  server.offline(false);
  await expect.element(page.getByText(/por enviar/)).not.toBeInTheDocument();
  // Each try to send a file has a new idempotency key; the step is sent once.
  expect(new Set(keys()).size).toBe(keys().length);
  expect(bodies()).toHaveLength(1);
});

test('a refused signature is explained until the carrier dismisses the alert, and the delivery stays completed', async () => {
  server.refuse(sendPrueba, 422, { message: 'La imagen no puede medir más de 4096 píxeles de lado' });
  await completeSigned();
  const refused = page.getByRole('alert').filter({ hasText: `${pedido.numero_orden}: no se ha registrado` });
  await expect.element(refused).toMatchTextContent('Firma de la entrega');
  await expect.element(refused).toMatchTextContent('4096 píxeles');
  await expectAccessible();
  reload('transportista');
  await expect.element(refused).toBeVisible();
  await refused.getByRole('button', { name: 'Entendido' }).click();
  await expect.element(refused).not.toBeInTheDocument();
  expect([bodies().length, keys().length]).toEqual([1, 1]);
});

test('a refused delivery is reported to the office with its files, even if the carrier dismisses the refusal', async () => {
  server.refuse(setEstado, 409, { message: 'Ada Ruiz ha cancelado este pedido', code: 'retirado' });
  server.refuse(getPedido, 409, { message: 'Ada Ruiz ha cancelado este pedido' });
  server.answer(contarNoAceptado, { message: 'La oficina lo sabe' });
  await completeSigned();
  const refused = page.getByRole('alert').filter({ hasText: `${pedido.numero_orden}: no se ha registrado` });
  await expect.element(refused).toMatchTextContent('Queda en este teléfono hasta que la oficina lo sepa');
  expect(server.asked(contarNoAceptado)).toEqual([]);
  await refused.getByRole('button', { name: 'Entendido' }).click();
  await expect.element(refused).not.toBeInTheDocument();
  // After the three seconds in which the form may correct the step.
  passTime(4_000);
  server.offline(false);
  await expect.poll(() => server.asked(contarNoAceptado)[0]?.body.pruebas).toMatchObject([{ tipo: 'firma' }]);
  await expect.poll(keys).toHaveLength(1);
  await expect.element(page.getByText(/Pendiente de enviar/)).not.toBeInTheDocument();
});

test('a wrong PIN is shown, and after the last try the form asks why there is no PIN', async () => {
  await openDialog({ ...RULES, en_mano: { pin: 'obligatoria' } });
  await way('En mano').click();
  await dialog.getByRole('textbox', { name: 'PIN del cliente' }).fill('1111');
  server.refuse(setEstado, 422, { message: 'No', errors: { pin: ['El PIN no es correcto'], motivo: ['No quedan intentos'] } });
  await complete();
  await expect.element(dialog.getByText('El PIN no es correcto')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Por qué se entrega sin PIN' }).fill('Sin móvil');
  await dialog.getByRole('textbox', { name: 'PIN del cliente' }).fill('');
  server.reply(setEstado, () => asDone('Hecho', { ...pedido, estado: 'completado' }));
  await complete();
  await expect.poll(() => bodies().at(-1)).toMatchObject({ pin: null, motivo: 'Sin móvil' });
});

test('a PIN refused after the form has closed reopens the form with its input and signature', async () => {
  server.refuse(setEstado, 422, { message: 'No', errors: { pin: ['El PIN no es correcto: quedan 2 intentos'] } });
  server.answer(contarNoAceptado, { message: 'La oficina lo sabe' });
  await completeUnanswered();
  await expect.element(dialog.getByText('El PIN no es correcto: quedan 2 intentos')).toBeVisible();
  await expect.element(dialog.getByText('Firmado')).toBeVisible();
  const pin = dialog.getByRole('textbox', { name: 'PIN del cliente' });
  await expect.element(pin).toHaveValue('0417');
  expect(server.asked(contarNoAceptado)).toEqual([]);
  server.reply(setEstado, () => asDone('Hecho', { ...pedido, estado: 'completado' }));
  await pin.fill('0418');
  await complete();
  await expect.poll(keys).toHaveLength(1);
  expect(bodies().at(-1)).toMatchObject({ pin: '0418', forma_entrega: 'en_mano', pruebas: [{ tipo: 'firma' }] });
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  expect(server.asked(contarNoAceptado)).toEqual([]);
});

test('a refused PIN is reported to the office when its form is closed, and can still be corrected', async () => {
  server.refuse(setEstado, 422, { message: 'No', errors: { pin: ['El PIN no es correcto: quedan 2 intentos'] } });
  server.answer(contarNoAceptado, { message: 'La oficina lo sabe' });
  await completeUnanswered();
  await expect.element(dialog.getByText('El PIN no es correcto: quedan 2 intentos')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await button('Descartar').click();
  await expect.poll(() => server.asked(contarNoAceptado)).toHaveLength(1);
  const refused = page.getByRole('alert').filter({ hasText: `${pedido.numero_orden}: no se ha registrado` });
  await expect.element(refused).toBeVisible();
  await expectAccessible();
  await refused.getByRole('link', { name: 'Corregir' }).click();
  await expect.element(dialog.getByRole('textbox', { name: 'PIN del cliente' })).toHaveValue('0417');
});

/** Returns a JPEG whose EXIF holds a location. */
async function photoWithPlace(width: number): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = 900;
  canvas.getContext('2d')?.fillRect(0, 0, 400, 400);
  const plain = new Uint8Array(
    await (await new Promise<Blob>((done) => canvas.toBlob((blob) => done(blob as Blob), 'image/jpeg'))).arrayBuffer(),
  );
  const exif = new TextEncoder().encode('Exif\0\0GPS 40.4168 -3.7038');
  const head = new Uint8Array([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2]);
  return new File([head, exif, plain.slice(2)], 'IMG_0001.jpg', { type: 'image/jpeg' });
}

test('a photo is reduced and loses the location in its EXIF', async () => {
  const file = await photoWithPlace(3200);
  const original = new Uint8Array(await file.arrayBuffer());
  expect(hasMetadata(original)).toBe(true);
  const photo = await smallPhoto(file);
  const bytes = new Uint8Array(await photo.arrayBuffer());
  expect(hasMetadata(bytes)).toBe(false);
  expect(new TextDecoder('latin1').decode(bytes)).not.toMatch(/Exif|GPS/);
  const { width, height } = await createImageBitmap(photo);
  expect([width, height]).toEqual([1600, 450]);
});

/** Delays the decoding of photos, as on an old telephone, until the returned function is called. */
function slowPhotos(): () => void {
  const over = Promise.withResolvers<void>();
  const decode = createImageBitmap;
  vi.spyOn(window, 'createImageBitmap').mockImplementation(async (...fields: unknown[]) => {
    await over.promise;
    return decode(fields[0] as Blob);
  });
  return over.resolve;
}
async function expectWaitsForPhoto(within: Locator, submit: string, field: string) {
  const arrive = slowPhotos();
  await userEvent.upload(within.getByLabelText(field, { exact: true }), await photoWithPlace(800));
  await expect.element(within.getByText('Preparando la foto…')).toBeVisible();
  const button = within.getByRole('button', { name: submit, exact: true });
  await expect.element(button).toBeDisabled();
  arrive();
  await expect.element(within.getByRole('img', { name: 'La foto que se enviará' })).toBeVisible();
  await expect.element(within.getByText('Preparando la foto…')).not.toBeInTheDocument();
  await button.click();
  await expect.poll(() => server.asked(sendPrueba)).toHaveLength(1);
  expect(bodies()[0]).toMatchObject({ pruebas: [{ tipo: 'foto' }] });
}

test('a delivery waits until its photo is prepared, and is then sent with the photo', async () => {
  await openDialog();
  await way('En lugar seguro').click();
  await expectWaitsForPhoto(dialog, 'Completar entrega', 'Foto');
  expect(bodies()[0]).toMatchObject({ forma_entrega: 'lugar_seguro' });
  expect(server.asked(sendPrueba)[0]?.headers.get('content-type')).toBe('image/jpeg');
});

test('a failed attempt can have a photo of the door in a shop with proof of delivery', async () => {
  server.reply(setEstado, () => asDone('Hecho', { ...pedido, estado: 'asignado' }));
  open('/pedidos-asignados', 'transportista');
  server.answer(getUser, { user: person('transportista'), negocio: { ...NEGOCIO, entrega: RULES } });
  await page.getByRole('button', { name: `Más acciones del pedido ${pedido.numero_orden}` }).click();
  await page.getByRole('menuitem', { name: 'Intento fallido' }).click();
  const failed = page.getByRole('dialog', { name: 'Intento fallido' });
  await failed.getByRole('radio', { name: 'Ausente' }).click();
  await expectAccessible();
  await expectWaitsForPhoto(failed, 'Registrar intento fallido', 'Foto (opcional)');
  expect(bodies()[0]).toMatchObject({ paso: 'fallar', pruebas: [{ tipo: 'foto', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] });
});
