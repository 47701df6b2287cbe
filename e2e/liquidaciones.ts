import { cerrarMes, crearAjuste, type Liquidacion, listLiquidaciones } from '../contract/liquidaciones/liquidaciones.ts';
import { monthsBack } from '../test/earning.ts';
import type { Arranger, Person } from './fixtures.ts';
import type { Server } from './server.ts';

/** Makes a statement of last month for each person, with one line of 25,00 €. */
export async function closedLastMonth(api: Arranger, server: Server, people: readonly Person[]): Promise<Liquidacion[]> {
  for (const { id } of people) await api.admin.call(crearAjuste, { body: { user_id: id, importe: 25, nota: 'Feria de Zafra' } });
  await server.earnedLastMonth();
  await api.admin.call(cerrarMes, { body: { mes: monthsBack(1).mes } });
  const made: Liquidacion[] = [];
  for (const { id } of people) made.push(...(await api.admin.call(listLiquidaciones, { query: { user_id: id } })).body.data);
  return made;
}
