/**
 * A small fault in the program, for `npm run mutants` (test/mutants.ts). `find` occurs exactly once in `file`
 * (test/faults.test.ts); the test files `tests` must notice that `replace` stands there instead.
 */
export type Fault = { file: string; find: string; replace: string; tests: string[] };

/** Returns the faults of one file: what stands there, what stands there instead, and the test files that notice, of the same folder. */
function faults(file: string, list: readonly (readonly [find: string, replace: string, tests?: string])[]): Fault[] {
  const folder = file.slice(0, file.lastIndexOf('/'));
  const pathOf = (name: string) => `${name.includes('/') ? name : `${folder}/${name}`}.test.ts`;
  return list.map(([find, replace, tests = 'edges']) => ({ file, find, replace, tests: tests.split(' ').map(pathOf) }));
}

/** Faults at both sides of the edges of amounts, days and lengths. A new edge gets its line here. */
export const FAULTS: readonly Fault[] = [
  ...faults('server/pedidos/pagos/collect.ts', [
    ['if (importe_cents > due)', 'if (importe_cents > due + 1)'],
    ['if (importe_cents > due)', 'if (importe_cents >= due)', 'contra-reembolso'],
    ['importe_cents < due && !motivo', 'importe_cents < due - 1 && !motivo'],
    ['if (importe_cents < due)\n', 'if (importe_cents < due - 1)\n'],
    ['importe_cents > 0 && !metodo', 'importe_cents > 1 && !metodo'],
  ]),
  ...faults('server/pedidos/pagos/cash-limit.ts', [
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of the program
    ['>= ${toCents(MAX_EFECTIVO)}', '> ${toCents(MAX_EFECTIVO)}'],
    ['>= ${toCents(MAX_EFECTIVO)}', '>= ${toCents(MAX_EFECTIVO) - 1}'],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of the program
    ['importe_cents > devuelto_cents', 'importe_cents >= devuelto_cents'],
    ['dia_negocio(o.fecha_pedido) = dia_negocio(p.fecha_pedido)', 'abs(dia_negocio(o.fecha_pedido) - dia_negocio(p.fecha_pedido)) <= 1'],
  ]),
  ...faults('server/pedidos/pagos/cash.ts', [
    ['AND dia = dia_negocio(', 'AND dia >= dia_negocio(', 'server/caja/caja'],
    ['coalesce(max(ronda), 0) + 1', 'coalesce(max(ronda), 1)', 'server/caja/edges'],
    ['c.confirmada_at IS NULL`', 'true`', 'server/caja/caja'],
    ['d.caja_dia < dia_negocio(now())', 'd.caja_dia <= dia_negocio(now())', 'server/stats/dashboard'],
  ]),
  ...faults('server/pedidos/pagos/overpaid.ts', [
    ['if (cents > owed)', 'if (cents > owed + 1)', 'overpaid'],
    ['if (cents > owed)', 'if (cents >= owed)', 'overpaid'],
    ['after.por_reembolsar_cents > before.por_reembolsar_cents', 'after.por_reembolsar_cents >= before.por_reembolsar_cents'],
    ['after.por_reembolsar_cents > before.por_reembolsar_cents', 'after.por_reembolsar_cents > before.por_reembolsar_cents + 1'],
    ['Math.min(left, importe_cents - devuelto_cents)', 'Math.min(left, importe_cents)', 'overpaid'],
  ]),
  ...faults('server/pedidos/pagos/pagos.ts', [
    ['pendiente_cents > 0;', 'pendiente_cents > 1;', 'server/payments/edges'],
    ['const REFUND_DAYS = 14', 'const REFUND_DAYS = 15', 'server/payments/pagar'],
    ['pago.devuelto_cents < pedido.reembolsado_cents', 'pago.devuelto_cents <= pedido.reembolsado_cents'],
    ['pago.devuelto_cents < pedido.reembolsado_cents', 'pago.devuelto_cents < pedido.reembolsado_cents - 1'],
    [".whereRef('importe_cents', '>', 'devuelto_cents')", ".whereRef('importe_cents', '>=', 'devuelto_cents')", 'server/payments/edges'],
  ]),
  ...faults('server/caja/caja.ts', [
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of the program
    ['d.dia BETWEEN ${desde}::date', 'd.dia > ${desde}::date AND d.dia BETWEEN ${desde}::date'],
    ['AND ${hasta}::date`, null', 'AND ${hasta}::date - 1`, null'],
    ['AND c.ronda = d.ronda', '', 'caja'],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of the program
    ['contado !== open.esperado', 'Math.abs(contado - open.esperado) > 0.011'],
    ['recibido !== open.esperado', 'Math.abs(recibido - open.esperado) > 0.011'],
    ['recibido_cents !== caja.contado_cents', 'Math.abs(recibido_cents - caja.contado_cents) > 1'],
  ]),
  ...faults('server/caja/caja.ts', [['found.length < wanted.length', 'found.length < wanted.length - 1']]),
  ...faults('server/caja/happened.ts', [[".where('importe_cents', '=', cents)", ".where('importe_cents', '>=', cents - 1)"]]),
  ...faults('contract/caja/schemas.ts', [
    ['const MAX_MOTIVO = 300', 'const MAX_MOTIVO = 301', 'server/caja/edges'],
    ['const MAX_MOTIVO = 300', 'const MAX_MOTIVO = 299', 'server/caja/edges'],
  ]),
  ...faults('server/payments/payments.ts', [
    ['const CARD_MINIMUM = 50', 'const CARD_MINIMUM = 51', 'webhooks'],
    ['const CARD_MINIMUM = 50', 'const CARD_MINIMUM = 49', 'webhooks'],
    ['Date.parse(at) + transferExpiryDays * DAY', 'Date.parse(at) + (transferExpiryDays + 1) * DAY', 'payments'],
  ]),
  ...faults('server/payments/begin.ts', [
    ['begun >= MAX_BEGUN', 'begun > MAX_BEGUN', 'webhooks'],
    ["now() - interval '1 hour'", "now() - interval '2 hours'"],
  ]),
  ...faults('server/payments/ask.ts', [["'<=', sql<string>`now()`", "'<=', sql<string>`now() + interval '1 hour'`"]]),
  ...faults('server/payments/settle.ts', [
    ["if (importe_cents !== row.pendiente_cents) return 'importe';", ''],
    ['![row.pendiente_cents, row.precio_total_cents].includes(importe_cents)', 'importe_cents < row.pendiente_cents - 1'],
  ]),
  ...faults('server/payments/review.ts', [["event.moneda === 'EUR' ? event.importe_cents : null", 'event.importe_cents', 'review']]),
  ...faults('server/payments/redsys.ts', [
    ['Number(data.Ds_Response) <= 99', 'Number(data.Ds_Response) <= 100', 'webhooks'],
    ['Number(data.Ds_Response) <= 99', 'Number(data.Ds_Response) < 99', 'webhooks'],
  ]),
  ...faults('server/payments/epc.ts', [
    ['bankText(beneficiario, 70)', 'bankText(beneficiario, 71)', 'epc.unit'],
    ['bankText(beneficiario, 70)', 'bankText(beneficiario, 69)', 'epc.unit'],
    ['carried === numero_orden', 'carried !== numero_orden', 'epc.unit'],
    ['(importe_cents / 100).toFixed(2)', '(importe_cents / 100).toFixed(1)', 'epc.unit'],
  ]),
  ...faults('server/stats/to-collect.ts', [
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of the program
    ['${days} <= 7', '${days} <= 8'],
    ['BETWEEN 8 AND 30', 'BETWEEN 9 AND 30'],
    ['BETWEEN 8 AND 30', 'BETWEEN 8 AND 31'],
    ['${days} > 30', '${days} > 31'],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of the program
  ]),
  ...faults('server/stats/dashboard.ts', [
    ['days < 1', 'days < 0', 'dashboard'],
    ['days > MAX_DIAS_SERIE', 'days >= MAX_DIAS_SERIE'],
    ['days > MAX_DIAS_SERIE', 'days > MAX_DIAS_SERIE + 1', 'dashboard'],
    ['stock <= min_stock', 'stock < min_stock', 'dashboard'],
    ["created_at < now() - interval '3 days'", "created_at < now() - interval '4 days'"],
  ]),
  ...faults('server/stats/totals.ts', [
    ["'dia', '>=', from", "'dia', '>', from", 'stats'],
    ["'dia', '<=', to", "'dia', '<', to", 'stats'],
  ]),
  ...faults('server/stats/transportista-stats.ts', [
    ["'7d': 6", "'7d': 7", 'transportistas'],
    ["'30d': 29", "'30d': 28", 'transportistas'],
  ]),
  ...faults('server/stats/transportista-stats.ts', [['day - 6', 'day - 7', 'transportista-stats']]),
  ...faults('server/liquidaciones/transfer-file.ts', [
    ['MAX_NAME = 70', 'MAX_NAME = 71'],
    ['MAX_NAME = 70', 'MAX_NAME = 69'],
    ['total > 0 && iban', 'total >= 0 && iban'],
    ['Math.round(Number(euros) * 100)', 'Math.floor(Number(euros) * 100)'],
  ]),
  ...faults('server/liquidaciones/liquidaciones.ts', [['(page - 1) * BATCH < num_lineas', '(page - 1) * BATCH < num_lineas - 1']]),
  ...faults('contract/liquidaciones/schemas.ts', [
    ["tipo === 'pack' || valor <= 100", "tipo === 'pack' || valor <= 100.01", 'server/liquidaciones/edges'],
    ['valor <= 10_000, {', 'valor < 10_000, {', 'server/liquidaciones/edges'],
    ['Math.abs(n) <= 1_000_000', 'Math.abs(n) <= 1_000_000.01', 'server/liquidaciones/edges'],
  ]),
  ...faults('server/facturables/facturables.ts', [
    ["'fecha', '>=', desde", "'fecha', '>', desde", 'facturables'],
    ["'fecha', '<=', hasta", "'fecha', '<', hasta", 'facturables'],
    ['rows.length > limite', 'rows.length >= limite'],
    ["where('seq', '<=', seq).execute", "where('seq', '<', seq).execute", 'facturables'],
  ]),
  ...faults('server/tienda/order/money.ts', [
    ['cents: total_cents, ...pago', 'cents: row.pendiente_cents, ...pago', 'server/tienda/edges'],
    ['money.payments === 0 && (asked', 'false && (asked', 'server/tienda/money'],
    ['agreed ? money.pagado > 0 : money.payments > 0', 'money.pagado > 0', 'server/tienda/life'],
    ['back > money.told', 'back > 0', 'server/tienda/money'],
    ['Math.max(order.devuelto_cents, total_cents)', 'order.devuelto_cents', 'server/tienda/money'],
    ['part - here, externo_id', 'part, externo_id', 'server/tienda/money'],
    ['held - reembolsado_cents', 'held', 'server/tienda/money'],
    ['Math.max(0, atPayments - over)', 'atPayments', 'server/tienda/life'],
  ]),
  ...faults('server/pedidos/escritura/outside.ts', [
    [".where('estado', '=', 'pagado')", ".where('estado', '=', 'iniciado')", 'server/tienda/money'],
    ["AND g.estado NOT IN ('anulado', 'devuelto')", "AND g.estado NOT IN ('anulado')", 'server/tienda/money'],
    ['if (tienda_pedido_id) ofShop += cents', 'if (tienda_pedido_id) ofShop += 0', 'server/tienda/money'],
  ]),
  ...faults('server/tienda/door/store.ts', [
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of the program
    ["')} <= ${rankOf", "')} < ${rankOf", 'server/tienda/doors'],
    ['sql`NOT (${digest} = ANY (t.vistos)) AND (', 'sql`true AND (', 'server/tienda/doors'],
    ['sql<string>`least(${modificado}::timestamptz, now())`', 'sql<string>`${modificado}::timestamptz`', 'server/tienda/doors'],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of the program
  ]),
  ...faults('server/tienda/door/receive.ts', [
    ['(!door || door.comun === true) && isSignedBy', 'isSignedBy', 'server/tienda/doors'],
    ['isThird: waiting.origen !== origen', 'isThird: false', 'server/tienda/doors'],
  ]),
  ...faults('server/tienda/office/shops.ts', [['...(isMoved && { clave_secreta: null })', '', 'server/tienda/doors']]),
  ...faults('server/tienda/order/resolve.ts', [
    ['.orderBy(sql`tienda_id IS NOT NULL`)', '.orderBy(sql`tienda_id IS NULL`)', 'server/tienda/doubts'],
  ]),
  ...faults('server/tienda/order/create.ts', [
    ['lineas.length + 1', 'lineas.length + 9', 'server/tienda/edges'],
    ['lineas.length + 1', 'lineas.length + 2', 'server/tienda/edges'],
    ['lineas.length + 1', 'lineas.length', 'server/tienda/edges'],
  ]),
  // Each counter-entry of a step that is taken back, left out.
  ...faults('server/deshacer/delivery.ts', [
    ['run: (motivo) => annulIn(tx, actor, id, motivo)', 'run: async () => undefined', 'test/taken-back'],
    ['run: () => oweCollected(tx, row, id, what)', 'run: async () => undefined', 'test/taken-back'],
    ['annulReturnIn(tx, actor, await lockPedido(tx, actor, row.id), id, why)', 'why', 'test/taken-back'],
    ['run: () => reverseDelivery(tx, row.id)', 'run: async () => undefined', 'test/taken-back'],
    ['run: () => withdrawEntrega(tx, id)', 'run: async () => undefined', 'test/taken-back'],
    ['run: () => rejoin(tx, actor, row, rest.id)', 'run: async () => undefined', 'deshacer'],
  ]),
  ...faults('server/deshacer/cancellation.ts', [
    ['run: () => countPaymentsAgain(tx, row.id)', 'run: async () => undefined', 'test/taken-back'],
    ["run: () => adjustStock(tx, actor, row.id, [[], lines], { motivo: 'restauracion' })", 'run: async () => undefined', 'test/taken-back'],
    ['    ...held,\n', '', 'test/taken-back'],
    ["to === 'pendiente' ? promisedDate() : null", 'promised()', 'test/taken-back'],
  ]),
  ...faults('server/deshacer/deshacer.ts', [
    ['...(antes ?? {', '...({', 'test/taken-back'],
    ['    fecha_completado: null,\n', '', 'test/taken-back'],
  ]),
  ...faults('server/deshacer/step.ts', [[' AND deshace_id IS NULL', '', 'test/taken-back']]),
  ...faults('server/exports/build.job.ts', [["'attempts', '<', MAX_ATTEMPTS", "'attempts', '<=', MAX_ATTEMPTS"]]),
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of the program
  ...faults('server/exports/exports.ts', [['DESC LIMIT ${RECENT_EXPORTS}', 'DESC LIMIT ${RECENT_EXPORTS + 1}', 'exports']]),
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of the program
  ...faults('server/exports/read.ts', [
    ['if (rows.length < BATCH) return;', 'if (rows.length <= BATCH) return;'],
    ['amount(cobro.importe_cents / 100)', 'amount(Math.round(cobro.importe_cents / 10) / 10)'],
  ]),
];
