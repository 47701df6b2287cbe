import { expect, it } from 'vitest';
import { ESTADOS } from '../../contract/pedidos/estados.ts';
import { ibanInFours } from '../../contract/text/iban.ts';
import { announcedWords, customerMessage } from './message.ts';

const NEW = {
  por_pagar: false,
  contra_reembolso: false,
  pendiente: 0,
  intentos: [],
  proximo_intento: null,
  situaciones: [],
  en_empresa: null,
  fecha_si_paga: null,
  transferencia_avisada: false,
  transferencia_hasta: null,
};

it('an IBAN of any length is grouped in fours', () => {
  expect(ibanInFours('ES9121000418450200051332')).toBe('ES91 2100 0418 4502 0005 1332');
  expect(ibanInFours('NO93 8601 1117 947')).toBe('NO93 8601 1117 947');
});

it('every estado has its own title, without internal words', () => {
  const messages = ESTADOS.map((estado) =>
    customerMessage({ ...NEW, estado, numero_orden: 'ORD-1', empresa: 'Olivares', devoluciones: [] }),
  );
  expect(new Set(messages.map(({ title }) => title)).size).toBe(ESTADOS.length);
  for (const { title, text } of messages) expect(`${title} ${text}`).not.toMatch(/_|revendedor/);
});

it('a cancelled order sends the customer to the shop for the money, unless a refund is already announced', () => {
  const cancelled = { ...NEW, estado: 'cancelado', numero_orden: 'ORD-1', empresa: 'Olivares' } as const;
  const devoluciones = [{ importe: 12, hecha: false, fecha: '2026-03-01' }];
  expect(customerMessage({ ...cancelled, devoluciones: [] }).text).toContain('Habla con Olivares');
  expect(customerMessage({ ...cancelled, devoluciones }).text).toBe('Ya no hay que pagarlo.');
});

it('an order to be paid at the door shows the amount due until it is delivered', () => {
  const due = {
    ...NEW,
    numero_orden: 'ORD-1',
    empresa: 'Olivares',
    devoluciones: [],
    contra_reembolso: true,
    por_pagar: true,
    pendiente: 34.5,
  };
  for (const estado of ['pendiente', 'asignado', 'en_proceso', 'en_ruta'] as const)
    expect(customerMessage({ ...due, estado }).text).toMatch(/Lo pagarás al recibirlo: 34,50\s€/);
  expect(customerMessage({ ...due, estado: 'pendiente' }).title).toBe('Pedido confirmado');
  expect(customerMessage({ ...due, estado: 'completado' }).text).not.toContain('al recibirlo');
});

it('a reported transfer is said first, unless the customer may pay at the door or nothing is due', () => {
  const announcing = { ...NEW, numero_orden: 'ORD-1', empresa: 'Olivares', devoluciones: [], por_pagar: true, transferencia_avisada: true };
  for (const estado of ['pendiente_pago', 'pendiente'] as const)
    expect(customerMessage({ ...announcing, estado })).toEqual({ title: 'Esperamos tu transferencia', text: announcedWords(announcing) });
  const atTheDoor = customerMessage({ ...announcing, estado: 'pendiente', contra_reembolso: true, pendiente: 30 });
  expect(atTheDoor.title).toBe('Pedido confirmado');
  expect(atTheDoor.text).toContain(announcedWords(announcing));
  expect(atTheDoor.text).not.toContain('Lo pagarás al recibirlo');
  expect(customerMessage({ ...announcing, estado: 'asignado' }).title).toBe('Tu pedido ya tiene transportista');
  expect(customerMessage({ ...announcing, estado: 'pendiente', por_pagar: false }).title).toBe('Pago recibido');
  expect(customerMessage({ ...announcing, estado: 'pendiente', transferencia_avisada: false })).toEqual({
    title: 'Pedido confirmado',
    text: 'Estamos buscando quien te lo lleve. Puedes pagarlo aquí.',
  });
  expect(announcedWords(announcing)).not.toContain('cancelará');
  expect(announcedWords({ ...announcing, transferencia_hasta: '2026-03-09' })).toContain(
    'Si no llega antes del 09/03/2026, el pedido se cancelará.',
  );
});

it('a failed delivery is said until the order leaves again or the customer collects it, with its reason and the next day', () => {
  const attempt = { fecha: '2026-03-01T10:00:00Z', causa: null };
  const on = { ...NEW, estado: 'asignado' as const, numero_orden: 'ORD-1', empresa: 'Olivares', devoluciones: [], intentos: [attempt] };
  const failed = 'No hemos podido entregarlo';
  expect(customerMessage({ ...on, proximo_intento: '2030-03-04' })).toMatchObject({
    title: failed,
    text: expect.stringContaining('Volveremos a intentarlo'),
  });
  expect(customerMessage(on).text).not.toContain('Volveremos');
  expect(customerMessage(on).text).toMatch(/Hemos intentado entregarlo el .* y no ha sido posible\.$/);
  expect(customerMessage({ ...on, intentos: [{ fecha: new Date().toISOString(), causa: 'Ausente' }] }).text).toMatch(
    /entregarlo hoy y no había nadie/,
  );
  const refused = customerMessage({ ...on, proximo_intento: null, situaciones: ['rechazado', 'espera_respuesta'] }).text;
  expect(refused).toMatch(/no ha sido posible\. Si lo quieres, dinos qué día te viene bien\.$/);
  expect(customerMessage({ ...on, estado: 'en_ruta' }).title).toBe('Tu pedido va de camino');
  expect(customerMessage({ ...on, situaciones: ['recoge'] }).title).toBe('Tu pedido te espera');
  expect(customerMessage({ ...on, intentos: [] }).title).toBe('Tu pedido ya tiene transportista');
});

it('an unpaid order says when it arrives if it is paid today', () => {
  const unpaid = {
    ...NEW,
    estado: 'pendiente_pago' as const,
    numero_orden: 'ORD-1',
    empresa: 'Olivares',
    devoluciones: [],
    por_pagar: true,
  };
  expect(customerMessage(unpaid).text).not.toContain('te llega');
  expect(customerMessage({ ...unpaid, fecha_si_paga: '2030-03-04' }).text).toContain('Si se paga hoy, te llega el');
});

it('the message of a delivered order says whether the delivery was partial, and the amount still due', () => {
  const lineas = [{ producto: 'Miel', pedidas: 2, faltan: [{ cantidad: 1, motivo: 'falta' as const }] }];
  const parcial = { lineas, valor: 5, sin_pagar: 5, por_devolver: 0, devuelto: 0, pasado: 0, resto: null };
  const done = { ...NEW, estado: 'completado' as const, numero_orden: 'ORD-1', empresa: 'Olivares', devoluciones: [] };
  expect(customerMessage(done).title).toBe('Pedido entregado');
  expect(customerMessage({ ...done, parcial }).title).toBe('Pedido entregado en parte');
  expect(customerMessage({ ...done, por_pagar: true, pendiente: 12 }).text).toMatch(/Queda por pagar 12,00\s€\./);
});

it('an order with a company, collected, or not delivered says so, whatever its estado', () => {
  const on = { ...NEW, estado: 'pendiente' as const, numero_orden: 'ORD-1', empresa: 'Olivares', devoluciones: [] };
  expect(customerMessage({ ...on, situaciones: ['en_empresa'], en_empresa: 'Correos' }).title).toBe('Correos lleva tu pedido');
  expect(customerMessage({ ...on, situaciones: ['recoge'] }).text).toBe('Recógelo en Olivares cuando quieras.');
  const intentos = [{ fecha: '2026-03-01T10:00:00Z', causa: null }];
  const failed = customerMessage({ ...on, situaciones: ['espera_respuesta', 'en_empresa'], en_empresa: 'Correos', intentos });
  expect(failed).toMatchObject({ title: 'No hemos podido entregarlo', text: expect.stringContaining('Dinos qué día te viene bien') });
  expect(customerMessage({ ...on, situaciones: ['recoge'], por_pagar: true, pendiente: 5 }).text).toContain('Puedes pagarlo aquí');
});

it('a delivery that was taken back is named by its day, and what comes next follows', () => {
  const back = { ...NEW, numero_orden: 'ORD-1', empresa: 'Olivares', devoluciones: [], entrega_anulada_at: '2026-12-02T23:30:00Z' };
  const { text } = customerMessage({ ...back, estado: 'en_ruta' });
  expect(text).toMatch(/^La entrega del jueves 3 de diciembre se ha anulado\. \S/);
  expect(customerMessage({ ...back, estado: 'completado' }).text).not.toContain('anulado');
});
