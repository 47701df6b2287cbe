import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/caja/caja.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { plural } from '../../contract/text/plural.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { confirmCash, confirmFound, handOverCash, listCash, listToCompare, neverArrived, receiveCash } from './caja.ts';
import {
  listCompanies,
  listCompaniesWithout,
  listRemesas,
  listWithCompanies,
  receiveFromCompany,
  setTerm,
  undoRemesa,
} from './companies.ts';
import { listUnregistered, registerHappened } from './happened.ts';
import { checkSheet, readSheet } from './remittance-sheet.ts';

/** Payments that carriers and delivery companies collect at the door, which the office confirms. */
export const cajaFeature: Feature = { name: 'caja', tables: { cajas: 'kept', remesas: 'kept', empresas_plazos: 'kept' }, routes };

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listCajas, async ({ actor, query }) => ({ data: await listCash(db, actor, query.transportista_id) }));
  route(app, api.entregarCaja, async ({ actor, body }) => asDone('Caja entregada', await handOverCash(db, actor, body)));
  route(app, api.recibirCaja, async ({ actor, body }) => asDone('Caja recibida', await receiveCash(db, actor, body)));
  route(app, api.confirmarCaja, async ({ actor, params, body }) =>
    asDone('Caja confirmada', await confirmCash(db, actor, params.id, body)),
  );
  route(app, api.listSinRegistrar, async () => ({ data: await listUnregistered(db) }));
  route(app, api.registrarLoQuePaso, async ({ actor, params }) => {
    const isBooked = await registerHappened(db, actor, params.id);
    const message = isBooked ? 'Registrado: el cobro está en Caja' : 'Ese cobro ya estaba apuntado: no se apunta otra vez';
    return { success: true, message };
  });
  route(app, api.listDeEmpresas, async () => ({
    data: await listWithCompanies(db),
    empresas: await listCompanies(db),
    sin_deuda: await listCompaniesWithout(db),
    remesas: await listRemesas(db),
  }));
  route(app, api.ponerPlazo, ({ actor, body }) => doneAfter(setTerm(db, actor, body), 'Plazo guardado'));
  route(app, api.recibirDeEmpresa, async ({ actor, body }) => {
    const n = await receiveFromCompany(db, actor, body);
    return { success: true, message: `Recibido de ${body.empresa}: ${plural(n, 'cobro')}` };
  });
  route(app, api.comprobarRemesa, async ({ body }) => ({ data: await checkSheet(db, body) }));
  route(app, api.leerRemesa, async ({ actor, body }) => ({ success: true, message: await readSheet(db, actor, body) }));
  route(app, api.deshacerRemesa, ({ actor, params }) => doneAfter(undoRemesa(db, actor, params.id), 'Liquidación deshecha'));
  route(app, api.listCobros, async () => ({ data: await listToCompare(db) }));
  route(app, api.comprobarCobros, async ({ actor, body }) => {
    const n = await confirmFound(db, actor, body.cobros);
    return { success: true, message: plural(n, 'cobro comprobado', 'cobros comprobados') };
  });
  route(app, api.cobroSinLlegar, ({ actor, params, body }) =>
    doneAfter(neverArrived(db, actor, params.id, body.motivo), 'Cobro anulado: el pedido vuelve a estar por cobrar'),
  );
}
