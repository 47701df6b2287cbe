import { Button, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Answer } from '../../../contract/kit/endpoint.ts';
import { DIA_FILTER, DIA_LABEL, type Dia } from '../../../contract/pedidos/day.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { hoyStats } from '../../../contract/stats/stats.ts';
import { plural } from '../../../contract/text/plural.ts';
import { useApi } from '../../api.ts';
import type { useActions } from '../../pedidos/detail/use-actions.tsx';
import { fecha, fechaCercana, money } from '../../ui/format/format.ts';
import { EmptyState, Loaded } from '../../ui/list/loaded.tsx';
import { ButtonLink } from '../../ui/page/link.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Chip, Chips, Line, leftWords, type To, TodayMatter } from './lines.tsx';
import classes from './today.module.css';
import { Undelivered } from './undelivered.tsx';

type Data = Answer<typeof hoyStats>['data'];
/** Runs an action on an order, in a dialog of the screen. */
type Run = ReturnType<typeof useActions>['run'];

const orders = (search: Record<string, string>): To => ({ to: '/pedidos', search });

/** The day without orders that wait, which have a line of their own. */
const DAY = ['toca', 'calle', 'hecho'] as const;

/** Other pending work of the office, each with its list. */
const REST: readonly (readonly [keyof Data['atencion'], label: string, To])[] = [
  ['sinPagar', 'Pend. pago', orders({ estado: 'pendiente_pago' })],
  ['mercancia', 'Mercancía por recibir', { to: '/caja' }],
  ['tiendas', 'Tiendas que no envían pedidos', { to: '/tienda', search: { tab: 'tiendas' } }],
  ['sinTipoIva', 'Sin tipo de IVA', { to: '/facturables' }],
  ['tareas', 'Tareas con error', { to: '/admin', search: { tab: 'tareas' } }],
  ['cuadre', 'Cuentas que no cuadran', { to: '/admin', search: { tab: 'cuadre' } }],
  ['copiasAqui', 'Las copias están solo en este disco', { to: '/configuracion', search: { tab: 'database' } }],
];
/** Money to check, each with its list. */
const MONEY: typeof REST = [
  ['pagosPorRevisar', 'Pagos por revisar', { to: '/pagos-por-revisar' }],
  ['sinRegistrar', 'Cobrado sin registrar', { to: '/caja' }],
  ['cobros', 'Bizum y tarjeta por comprobar', { to: '/caja' }],
  ['empresasTarde', 'Cobros que las empresas pagan tarde', { to: '/caja' }],
];

/** «Hoy» of the office: the day by carrier, failed deliveries, money, low stock and web orders. */
export function OfficeToday({ run }: { run: Run }) {
  const query = useApi(hoyStats, {}, { refetchInterval: 60_000 });
  const hoy = query.data?.data.hoy;
  return (
    <Panel title={hoy ? `Hoy, ${fechaCercana(hoy)}` : 'Hoy'} busy={query.isPending} mb={4}>
      <Loaded query={query} failed="No se pudo cargar lo de hoy" waiting={<Skeleton h={280} />}>
        {({ data }) => <Lines data={data} run={run} />}
      </Loaded>
    </Panel>
  );
}

function Lines({ data, run }: { data: Data; run: Run }) {
  const { atencion, dia, sinEntregar, stock, web, mes } = data;
  const sumOf = (place: Dia) => dia.reduce((sum, carrier) => sum + carrier[place], 0);
  const rest = REST.filter(([figure]) => atencion[figure] > 0);
  const toCheck = [...MONEY.map(([figure]) => figure), 'transferencias', 'devoluciones', 'cajas'] as const;
  const owed = toCheck.reduce((sum, figure) => sum + atencion[figure], 0);
  const idle = dia.length + atencion.atrasados + atencion.incidencias + owed + atencion.stockBajo + atencion.tienda + rest.length === 0;
  return (
    <>
      {idle && <EmptyState title="Nada pendiente" hint="Cuando haya algo que hacer, aparecerá aquí." />}
      <ul className={classes.lines}>
        <Line title="El día" count={dia.length || atencion.atrasados ? undefined : 0}>
          <Chips>
            {DAY.map((place) => (
              <Chip key={place} label={DIA_LABEL[place]} count={sumOf(place)} to={orders(DIA_FILTER[place])} />
            ))}
            <Chip label="Atrasados" count={atencion.atrasados} to={orders({ atrasado: 'si' })} urgent />
          </Chips>
          {dia.map((carrier) => (
            <CarrierDay key={carrier.transportista_id} carrier={carrier} />
          ))}
        </Line>
        <Undelivered pedidos={sinEntregar} total={atencion.incidencias} to={orders({ incidencia: 'si' })} />
        <Line title="Dinero" count={owed}>
          <Money data={data} run={run} />
        </Line>
        <Line title="Se acaba" count={atencion.stockBajo} to={{ to: '/control-stock', search: { ver: 'bajo' } }}>
          <TodayMatter
            words={stock.map(({ name, stock }) => `${name}: ${leftWords(stock)}`).join(' · ')}
            more={atencion.stockBajo - stock.length}
            to={{ to: '/control-stock', search: { ver: 'bajo' } }}
          />
        </Line>
        <Line title="De la web" count={atencion.tienda + web}>
          <TodayMatter
            words={[
              atencion.tienda > 0 && plural(atencion.tienda, 'pedido por revisar', 'pedidos por revisar'),
              web > 0 && plural(web, 'ha entrado hoy', 'han entrado hoy'),
            ]
              .filter(Boolean)
              .join(' · ')}
          >
            {atencion.tienda > 0 && (
              <ButtonLink to="/tienda" size="compact-sm" variant="default">
                Revisar
              </ButtonLink>
            )}
          </TodayMatter>
        </Line>
        <Line title="También" count={rest.reduce((sum, [figure]) => sum + atencion[figure], 0)}>
          <Figures of={rest} atencion={atencion} />
        </Line>
        <Line title="Por cobrar" count={atencion.porCobrar} to={{ to: '/por-cobrar' }}>
          <TodayMatter words={money(atencion.porCobrarImporte)} />
        </Line>
        {atencion.conEmpresasImporte > 0 && (
          <Line title="Por recibir" to={{ to: '/caja' }}>
            <TodayMatter words={`${money(atencion.conEmpresasImporte)} de empresas`} />
          </Line>
        )}
        {mes.ingresos > 0 && (
          <Line title="Este mes">
            <TodayMatter words={`${money(mes.ingresos)} de ingresos`} />
          </Line>
        )}
      </ul>
    </>
  );
}

/** The day of one carrier, each figure with its list. */
function CarrierDay({ carrier: { transportista_id, nombre, cobrado, ...day } }: { carrier: Data['dia'][number] }) {
  return (
    <Chips label={nombre}>
      {[...DAY, 'decidir' as const].map((place) => (
        <Chip
          key={place}
          label={DIA_LABEL[place]}
          count={day[place]}
          to={orders({ ...DIA_FILTER[place], transportista_id })}
          urgent={place === 'toca' && transportista_id === 'sin'}
        />
      ))}
      {cobrado > 0 && (
        <Link to="/caja" className={classes.chip}>
          Cobrado <strong>{money(cobrado)}</strong>
        </Link>
      )}
    </Chips>
  );
}

const Figures = ({ of, atencion }: { of: typeof REST; atencion: Data['atencion'] }) => (
  <Chips>
    {of.map(([figure, label, to]) => (
      <Chip key={figure} label={label} count={atencion[figure]} to={to} />
    ))}
  </Chips>
);

/** Transfers announced, refunds due and cash to receive: the first of each, and the number of the others. */
function Money({ data: { atencion, transferencias, reembolsos, cajas }, run }: { data: Data; run: Run }) {
  const [announced] = transferencias;
  const [refund] = reembolsos;
  const [box] = cajas;
  const act = (label: string, pedido: Pedido, kind: 'pay' | 'view') => (
    <Button size="compact-sm" variant="default" aria-label={`${label}: ${pedido.cliente_nombre}`} onClick={() => run({ kind }, pedido)}>
      {label}
    </Button>
  );
  return (
    <>
      {announced && (
        <TodayMatter
          words={`${announced.cliente_nombre} dice que ha pagado ${money(announced.pendiente)}`}
          more={atencion.transferencias - 1}
          to={orders({ transferencia: 'si' })}
        >
          {act('Ha llegado', announced, 'pay')}
        </TodayMatter>
      )}
      {refund && (
        <TodayMatter
          words={`Devolver ${money(refund.por_reembolsar)} a ${refund.cliente_nombre}`}
          more={atencion.devoluciones - 1}
          to={orders({ devolucion: 'pendiente' })}
        >
          {act('Devolver', refund, 'view')}
        </TodayMatter>
      )}
      {box && (
        <TodayMatter words={`${box.nombre} trae ${money(box.euros)} del ${fecha(box.dia)}`} more={atencion.cajas - 1} to={{ to: '/caja' }}>
          <ButtonLink to="/caja" size="compact-sm" variant="default">
            Recibir
          </ButtonLink>
        </TodayMatter>
      )}
      <Figures of={MONEY} atencion={atencion} />
    </>
  );
}
