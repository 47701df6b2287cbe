import { expect, it } from 'vitest';
import { ESTADOS } from '../../contract/pedidos/estados.ts';
import { ibanInFours } from '../../contract/text/iban.ts';
import { message } from './message.ts';

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
  const messages = ESTADOS.map((estado) => message({ ...NEW, estado, numero_orden: 'ORD-1', empresa: 'Olivares', devoluciones: [] }));
  expect(new Set(messages.map(({ title }) => title)).size).toBe(ESTADOS.length);
  for (const { title, text } of messages) expect(`${title} ${text}`).not.toMatch(/_|revendedor/);
});

it('a cancelled order sends the customer to the shop for the money, unless a refund is already announced', () => {
  const cancelled = { ...NEW, estado: 'cancelado', numero_orden: 'ORD-1', empresa: 'Olivares' } as const;
  const devoluciones = [{ importe: 12, hecha: false, fecha: '2026-03-01' }];
  expect(message({ ...cancelled, devoluciones: [] }).text).toContain('Habla con Olivares');
  expect(message({ ...cancelled, devoluciones }).text).toBe('Ya no hay que pagarlo.');
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
    expect(message({ ...due, estado }).text).toMatch(/Lo pagarás al recibirlo: 34,50\s€/);
  expect(message({ ...due, estado: 'pendiente' }).title).toBe('Pedido confirmado');
  expect(message({ ...due, estado: 'completado' }).text).not.toContain('al recibirlo');
});

it('the message of a delivered order says whether the delivery was partial, and the amount still due', () => {
  const lineas = [{ producto: 'Miel', pedidas: 2, faltan: [{ cantidad: 1, motivo: 'falta' as const }] }];
  const parcial = { lineas, valor: 5, sin_pagar: 5, por_devolver: 0, devuelto: 0, pasado: 0, resto: null };
  const done = { ...NEW, estado: 'completado' as const, numero_orden: 'ORD-1', empresa: 'Olivares', devoluciones: [] };
  expect(message(done).title).toBe('Pedido entregado');
  expect(message({ ...done, parcial }).title).toBe('Pedido entregado en parte');
  expect(message({ ...done, por_pagar: true, pendiente: 12 }).text).toMatch(/Queda por pagar 12,00\s€\./);
});

it('an order with a company, collected, or not delivered says so, whatever its estado', () => {
  const on = { ...NEW, estado: 'pendiente' as const, numero_orden: 'ORD-1', empresa: 'Olivares', devoluciones: [] };
  expect(message({ ...on, situaciones: ['en_empresa'], en_empresa: 'Correos' }).title).toBe('Correos lleva tu pedido');
  expect(message({ ...on, situaciones: ['recoge'] }).text).toBe('Recógelo en Olivares cuando quieras.');
  const intentos = [{ fecha: '2026-03-01T10:00:00Z', causa: null }];
  const failed = message({ ...on, situaciones: ['espera_respuesta', 'en_empresa'], en_empresa: 'Correos', intentos });
  expect(failed).toMatchObject({ title: 'No hemos podido entregarlo', text: expect.stringContaining('Dinos qué día te viene bien') });
  expect(message({ ...on, situaciones: ['recoge'], por_pagar: true, pendiente: 5 }).text).toContain('Puedes pagarlo aquí');
});
