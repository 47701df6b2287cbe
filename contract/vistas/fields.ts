import type { Field } from '../kit/fields.ts';
import type { FilterName } from '../pedidos/filters.fields.ts';
import type { Role } from '../policy/policy.ts';

/** Filters and sort order, named as in the URL of the list. */
export type ClaveVista = Exclude<FilterName, 'ids'> | 'sort' | 'dir' | 'periodo';

type ListaDef = {
  /** Role that has the list and sees its views. */
  role: Role;
  todos: string;
  claves: readonly ClaveVista[];
};

const EVERYBODYS = ['search', 'estado', 'fecha_desde', 'fecha_hasta', 'periodo', 'sort', 'dir'] as const;
const SUPERADMINS = [
  ...EVERYBODYS,
  'revendedor_id',
  'transportista_id',
  'empresa_transporte',
  'tienda',
  'ciudad',
  'completado_desde',
  'completado_hasta',
  'situacion',
  'atrasado',
  'hoy',
  'incidencia',
  'en_empresa',
  'envio_id',
  'pagado',
  'transferencia',
  'devolucion',
  'eliminados',
] as const;

/** Carriers have no views, because they have few filters and little room on a phone. */
export const LISTAS = {
  pedidos: { role: 'superadmin', todos: 'Todos los pedidos', claves: SUPERADMINS },
  entregas: { role: 'superadmin', todos: 'Todas las entregas', claves: SUPERADMINS },
  'mis-pedidos': { role: 'revendedor', todos: 'Todos mis pedidos', claves: EVERYBODYS },
} as const satisfies Record<string, ListaDef>;
export type Lista = keyof typeof LISTAS;
export const LISTA_NAMES = Object.keys(LISTAS) as Lista[];

/** Periods relative to today, instead of two dates; named as in the date picker. */
export const PERIODOS_VISTA = [
  'anio-actual',
  'anio-anterior',
  'ultimos-12-meses',
  'ultimos-7-dias',
  'mes-actual',
  'mes-anterior',
  'trimestre-1',
  'trimestre-2',
  'trimestre-3',
  'trimestre-4',
] as const;

export const MAX_VISTAS = 50;

export const VISTA_FIELDS = {
  nombre: { label: 'Nombre', kind: 'text', max: 60, required: 'Ponle un nombre' },
} as const satisfies Record<string, Field>;
