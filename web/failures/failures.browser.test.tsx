import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type Esperando, listUndelivered, type Perdido, resendGivenUp } from '../../contract/outbox/outbox.ts';
import { listVitals } from '../../contract/vitals/vitals.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';

const waiting = (): Esperando => ({
  canal: 'correo',
  servidor: 'smtp.tienda.es:587',
  motivo: 'No acepta la conexión',
  mensajes: 86,
  intentos: 5,
  desde: new Date(Date.now() - 12.5 * 60_000).toISOString(),
});
const lost = (asunto: string): Perdido => ({
  id: uuid(),
  canal: 'correo',
  servidor: 'smtp.tienda.es:587',
  motivo: 'No acepta la conexión',
  created_at: '2026-11-20T09:00:00.000Z',
  perdido_at: '2026-11-21T21:00:00.000Z',
  para: 'rita@tienda.es',
  asunto,
});

test('waiting mails are shown with host and reason, and hide the message that no task fails', async () => {
  server.answer(listUndelivered, { esperando: [waiting()], perdidos: [] });
  open('/admin?tab=tareas');
  await expect.element(page.getByText('86 correos esperan desde hace 12 min')).toBeVisible();
  await expect.element(page.getByText('smtp.tienda.es:587: No acepta la conexión. Se siguen intentando enviar.')).toBeVisible();
  await expect.element(page.getByText('Ninguna tarea falla')).not.toBeInTheDocument();
  await expectAccessible();
});

test('mails that were given up can be sent again, singly or all at once', async () => {
  let perdidos = [lost('Pedido pagado'), lost('Stock bajo'), lost('Copia fallida')];
  server.reply(listUndelivered, () => ({ esperando: [], perdidos }));
  server.reply(resendGivenUp, ({ body }) => {
    perdidos = perdidos.filter(({ id }) => !body.ids.includes(id));
    return { success: true as const, message: 'Se están enviando otra vez', reenviados: body.ids.length };
  });
  open('/admin?tab=tareas');
  await page.getByRole('button', { name: 'Reenviar Pedido pagado' }).click();
  await expect.element(page.getByText('Pedido pagado')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Reenviar todos' }).click();
  await expect.element(page.getByText('Ninguna tarea falla')).toBeVisible();
  expect(server.asked(resendGivenUp).map(({ body }) => body.ids.length)).toEqual([1, 2]);
});

test('what screens take is shown by screen, role and device once it has been counted', async () => {
  server.answer(listUndelivered, { esperando: [], perdidos: [] });
  open('/admin?tab=tareas');
  await expect.element(page.getByText('Ninguna tarea falla')).toBeVisible();
  await expect.element(page.getByText('Lo que tardan las pantallas')).not.toBeInTheDocument();
  const row = { rol: 'transportista' as const, dispositivo: 'movil' as const, medidas: 1203, lcp: 1630, inp: 96, cls: 12, filas: null };
  server.answer(listVitals, { data: [{ ...row, pantalla: '/pedidos-asignados' }] });
  open('/admin?tab=tareas');
  const line = page.getByRole('row', { name: /Pedidos asignados/i });
  await expect
    .element(line)
    .toHaveTextContent('Pedidos Asignados' + 'Transportista · Móvil' + '1.203' + '—' + '1,63 s' + '0,10 s' + '0,01');
  await expectAccessible();
});
