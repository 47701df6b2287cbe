import { useNavigate } from '@tanstack/react-router';
import { listClientes } from '../../contract/clientes/clientes.ts';
import { CLIENTE_SORTS, VER_CLIENTES } from '../../contract/clientes/fields.ts';
import { can } from '../../contract/policy/policy.ts';
import { listUsers } from '../../contract/users/users.ts';
import { useApi } from '../api.ts';
import { useSession } from '../session/session.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters, SearchInput, useCountAll, useSearchState } from '../ui/list/filters.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { clientesColumns } from './clientes.columns.tsx';

const NO_FILTERS = { search: '', ver: '', revendedor_id: '' };
const DEFAULTS = { ...NO_FILTERS, sort: 'ultimo_pedido', dir: 'desc', page: 1 };
const VER_OPTIONS = [
  { value: '', label: 'Todos los clientes' },
  { value: 'avisar', label: 'Avisar antes' },
  { value: 'bloqueados', label: 'Bloqueados' },
  { value: 'separar', label: 'Por separar' },
];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export default function ClientesPage() {
  const manages = can(useSession(), 'user:manage');
  const navigate = useNavigate();
  const phone = usePhone();
  const [params, setFilters] = useSearchState(DEFAULTS);
  const search = params.search.slice(0, 100);
  // Validates parameters, because addresses are also typed by hand.
  const ver = VER_CLIENTES.find((name) => name === params.ver);
  const seller = UUID.test(params.revendedor_id) ? params.revendedor_id : params.revendedor_id === 'sin' ? 'sin' : '';
  const sort = CLIENTE_SORTS.find((name) => name === params.sort) ?? 'ultimo_pedido';
  const dir: 'asc' | 'desc' = params.dir === 'asc' ? 'asc' : 'desc';
  const filter = { ...(search && { search }), ...(ver && { ver }), ...(manages && seller && { revendedor_id: seller }) } as const;
  const { contar, onCountAll } = useCountAll(filter);
  const query = { ...filter, page: params.page, sort, dir, contar } as const;
  const list = useApi(listClientes, { query }, { keepPrevious: true });
  const resellers = useApi(listUsers, { query: { role: 'revendedor' } }, { enabled: manages });
  const all = manages && resellers.data?.data.length !== 0;
  const sellers = [
    { value: '', label: 'Todos los revendedores' },
    { value: 'sin', label: 'Tienda' },
    ...(resellers.data?.data ?? []).map(({ id, full_name }) => ({ value: id, label: full_name })),
  ];
  const filtered = !!(search || ver || seller);
  return (
    <>
      <PageHeader title="Clientes" subtitle="Quien te ha pedido algo, por su teléfono o por su nombre y código postal" />
      <Filters>
        <SearchInput
          value={params.search}
          onChange={(next) => setFilters({ search: next }, { replace: true })}
          placeholder="Buscar por nombre o teléfono..."
          w={phone ? '100%' : undefined}
        />
        <FilterSelect
          w={phone ? '0px' : '13.5rem'}
          label="Ver"
          data={VER_OPTIONS}
          value={ver ?? ''}
          onChange={(next) => setFilters({ ver: next })}
        />
        {all && (
          <FilterSelect
            w={phone ? '0px' : '13.5rem'}
            label="Revendedor"
            data={sellers}
            value={seller}
            onChange={(next) => setFilters({ revendedor_id: next })}
          />
        )}
      </Filters>
      <DataTable
        label="Clientes"
        rows={list.data?.data}
        busy={list.isPlaceholderData}
        columns={clientesColumns(all)}
        rowLines={2}
        onRow={({ id }) => void navigate({ to: '/clientes/$id', params: { id } })}
        sort={{ by: sort, dir, onSort: (by, next) => setFilters({ sort: by, dir: next }) }}
        pages={{ of: list.data, noun: 'clientes', onPage: (page) => setFilters({ page }), onCountAll }}
        error={{ title: 'No se pudieron cargar los clientes', cause: list.error, onRetry: () => void list.refetch() }}
        empty={
          filtered
            ? { title: 'Ningún cliente coincide con los filtros', onReset: () => setFilters(NO_FILTERS) }
            : { title: 'Todavía no hay clientes', hint: 'Aparecen aquí con su primer pedido.' }
        }
      />
    </>
  );
}
