import type { QueryIn } from '../../../contract/kit.ts';
import { SORTS } from '../../../contract/pedidos.filters.ts';
import { ESTADOS, type Estado, METODOS_ENTREGA } from '../../../contract/pedidos.flow.ts';
import type { listPedidos } from '../../../contract/pedidos.ts';
import { soundDay } from '../../ui/list/search-state.ts';

/** Filters, sort and page of an orders list as they stand in the address: by their names on the wire, all text. */
export const FILTROS = {
  search: '',
  estado: '',
  revendedor_id: '',
  transportista_id: '',
  empresa_transporte: '',
  fecha_desde: '',
  fecha_hasta: '',
  completado_desde: '',
  atrasado: '',
  transferencia: '',
  devolucion: '',
  sort: 'fecha_pedido',
  dir: 'desc',
  page: 1,
};
export type Filtros = typeof FILTROS;
export type SetFiltros = (patch: Partial<Filtros>, options?: { replace?: boolean }) => void;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const one = <T extends string>(among: readonly T[], value: string) => among.find((candidate) => candidate === value);
const like = (pattern: RegExp, value: string) => (pattern.test(value) ? value : undefined);

/** The known estados of `a,b`. */
export const estadosDe = (value: string): Estado[] => ESTADOS.filter((estado) => value.split(',').includes(estado));

/** What is asked of the server. An address is written by hand too: what it does not know is left out. */
export function consultaDe(filtros: Filtros): QueryIn<typeof listPedidos> {
  const estados = estadosDe(filtros.estado);
  return {
    page: filtros.page,
    sort: one(SORTS, filtros.sort),
    dir: one(['asc', 'desc'], filtros.dir),
    search: filtros.search.slice(0, 100) || undefined,
    estado: estados.length ? estados.join(',') : undefined,
    revendedor_id: like(UUID, filtros.revendedor_id),
    transportista_id: filtros.transportista_id === 'sin' ? 'sin' : like(UUID, filtros.transportista_id),
    empresa_transporte: one(METODOS_ENTREGA, filtros.empresa_transporte),
    fecha_desde: soundDay(filtros.fecha_desde) || undefined,
    fecha_hasta: soundDay(filtros.fecha_hasta) || undefined,
    completado_desde: soundDay(filtros.completado_desde) || undefined,
    atrasado: one(['si'], filtros.atrasado),
    transferencia: one(['si'], filtros.transferencia),
    devolucion: one(['pendiente'], filtros.devolucion),
  };
}

/** The same filters without what `consultaDe` leaves out, so that the screen shows what is in force. */
export function enVigor(filtros: Filtros): Filtros {
  const consulta: Partial<Record<string, unknown>> = consultaDe(filtros);
  const kept = Object.keys(FILTROS).map((key) => [key, consulta[key] ?? (key === 'sort' || key === 'dir' ? FILTROS[key] : '')]);
  return { ...filtros, ...Object.fromEntries(kept), search: filtros.search };
}

/** True when some filter narrows the list; sort and page do not. */
export function filtrado({ sort: _, dir: __, page: ___, ...filtros }: Filtros): boolean {
  return Object.values(filtros).some(Boolean);
}

const { sort: _, dir: __, page: ___, ...none } = FILTROS;
/** What puts every filter back, leaving the sort. */
export const SIN_FILTROS = none;
