import { listCiudades } from '../../contract/transportista/transportista.ts';
import { useApi } from '../api.ts';
import { number } from '../ui/format/format.ts';
import { FilterSelect } from '../ui/list/filters.tsx';

const SORTS = [
  { value: '', label: 'Lo más urgente' },
  { value: 'cliente_ciudad', label: 'Por ciudad' },
];
export const FILTER_WIDTH = '12rem';

type Values = { ciudad: string; orden: string };
type Props = { of: 'disponibles' | 'asignados'; values: Values; onChange: (patch: Partial<Values>) => void };

export function OrderFilters({ of, values, onChange }: Props) {
  const towns = useApi(listCiudades, { query: { de: of } });
  const known = towns.data?.data ?? [];
  const here = known.map(({ ciudad, pedidos }) => ({ value: ciudad, label: `${ciudad} (${number(pedidos)})` }));
  // Keeps the selected town in the list after its last order has gone.
  if (values.ciudad && !here.some(({ value }) => value === values.ciudad)) here.push({ value: values.ciudad, label: values.ciudad });
  return (
    <>
      <FilterSelect
        w={FILTER_WIDTH}
        label="Ciudad"
        searchable
        data={[{ value: '', label: 'Ciudad: todas' }, ...here]}
        value={values.ciudad}
        onChange={(ciudad) => onChange({ ciudad })}
      />
      <FilterSelect w={FILTER_WIDTH} label="Orden" data={SORTS} value={values.orden} onChange={(orden) => onChange({ orden })} />
    </>
  );
}

/** Returns how many filters differ from `defaults`, not counting search, sort order and page. */
export const countActive = <V extends object>(values: V, defaults: V): number =>
  Object.entries(defaults).filter(([key, value]) => !['search', 'orden', 'page'].includes(key) && values[key as keyof V] !== value).length;

/** Returns the query parameters for the server. */
export const asignadosQuery = ({ ciudad, orden }: Values) => ({
  ...(ciudad && { ciudad }),
  sort: orden === 'cliente_ciudad' ? ('cliente_ciudad' as const) : ('fecha_estimada' as const),
});
