import type { QueryIn } from '../../../contract/kit/endpoint.ts';
import { ESTADOS, type Estado } from '../../../contract/pedidos/estados.ts';
import { HOY, PAGADO, SORTS } from '../../../contract/pedidos/filters.fields.ts';
import { METODOS_ENTREGA } from '../../../contract/pedidos/metodos.ts';
import type { listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { soundDay } from '../../ui/list/filters.tsx';
import { FILTERED } from './situation-options.ts';

/** Empty filters of an orders list. */
export const NO_FILTERS = {
  search: '',
  estado: '',
  revendedor_id: '',
  transportista_id: '',
  empresa_transporte: '',
  tienda: '',
  fecha_desde: '',
  fecha_hasta: '',
  completado_desde: '',
  completado_hasta: '',
  ciudad: '',
  pagado: '',
  situacion: '',
  atrasado: '',
  hoy: '',
  incidencia: '',
  en_empresa: '',
  envio_id: '',
  transferencia: '',
  devolucion: '',
  eliminados: '',
};
/** Default filters, sort and page. The address uses the names of the API. */
export const DEFAULT_FILTERS = { ...NO_FILTERS, sort: 'fecha_pedido', dir: 'desc', page: 1 };
export type FilterValues = typeof DEFAULT_FILTERS;
export type SetFilters = (patch: Partial<FilterValues>, options?: { replace?: boolean }) => void;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const memberOf = <T extends string>(among: readonly T[], value: string) => among.find((candidate) => candidate === value);
const like = (pattern: RegExp, value: string) => (pattern.test(value) ? value : undefined);

/** Parses `a,b`, dropping unknown estados. */
export const parseEstados = (value: string): Estado[] => ESTADOS.filter((estado) => value.split(',').includes(estado));

/** Query for the server. Drops invalid values, because addresses are also typed by hand. */
export function pedidosQuery(filters: FilterValues): QueryIn<typeof listPedidos> {
  const estados = parseEstados(filters.estado);
  return {
    page: filters.page,
    sort: memberOf(SORTS, filters.sort),
    dir: memberOf(['asc', 'desc'], filters.dir),
    search: filters.search.slice(0, 100) || undefined,
    estado: estados.length ? estados.join(',') : undefined,
    revendedor_id: like(UUID, filters.revendedor_id),
    transportista_id: filters.transportista_id === 'sin' ? 'sin' : like(UUID, filters.transportista_id),
    empresa_transporte: memberOf(METODOS_ENTREGA, filters.empresa_transporte),
    tienda: filters.tienda.slice(0, 80) || undefined,
    fecha_desde: soundDay(filters.fecha_desde) || undefined,
    fecha_hasta: soundDay(filters.fecha_hasta) || undefined,
    completado_desde: soundDay(filters.completado_desde) || undefined,
    completado_hasta: soundDay(filters.completado_hasta) || undefined,
    ciudad: filters.ciudad.slice(0, 120) || undefined,
    pagado: memberOf(PAGADO, filters.pagado),
    situacion: memberOf(FILTERED, filters.situacion),
    atrasado: memberOf(['si'], filters.atrasado),
    hoy: memberOf(HOY, filters.hoy),
    incidencia: memberOf(['si'], filters.incidencia),
    en_empresa: memberOf(['si'], filters.en_empresa),
    envio_id: like(UUID, filters.envio_id),
    transferencia: memberOf(['si'], filters.transferencia),
    devolucion: memberOf(['pendiente'], filters.devolucion),
    eliminados: memberOf(['si'], filters.eliminados),
  };
}

/** Drops invalid filters like `queryOf`, so that the screen shows only filters that apply. */
export function inForce(filters: FilterValues): FilterValues {
  const query: Partial<Record<string, unknown>> = pedidosQuery(filters);
  const kept = Object.keys(DEFAULT_FILTERS).map((key) => [
    key,
    query[key] ?? (key === 'sort' || key === 'dir' ? DEFAULT_FILTERS[key] : ''),
  ]);
  return { ...filters, ...Object.fromEntries(kept), search: filters.search };
}

/** True if a filter narrows the list; sort and page do not count. */
export const isFiltered = ({ sort: _, dir: __, page: ___, ...filters }: FilterValues): boolean => Object.values(filters).some(Boolean);
