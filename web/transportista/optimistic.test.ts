import { expect, it } from 'vitest';
import { pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { operation } from '../../test/web/operations.ts';
import { aPedido } from '../../test/web/samples.ts';
import { optimisticRows } from './optimistic.ts';

const onItsWay = pedidoTransportista.parse(aPedido({ estado: 'en_ruta', motivo: 'Ausente' }));
const after = (body: Record<string, unknown>) => {
  const waiting = operation('1', onItsWay.id, { body });
  return [optimisticRows([onItsWay], [waiting])[0], waiting.at] as const;
};

it('a delivery without PIN is shown as delivered at its time, without a failed attempt', () => {
  const [row, at] = after({ estado: 'completado', paso: 'completar', metodo_entrega: 'manual', motivo: 'No encuentra el PIN' });
  expect(row).toMatchObject({ estado: 'completado', motivo: null, fecha_completado: at, metodo_entrega: 'manual' });
});

it('a failed attempt is shown with its reason', () => {
  const [row] = after({ estado: 'asignado', paso: 'fallar', motivo: 'Rechazado' });
  expect(row).toMatchObject({ estado: 'asignado', motivo: 'Rechazado', fecha_completado: null });
});
