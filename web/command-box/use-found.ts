import { useDebouncedValue } from '@mantine/hooks';
import { listClientes } from '../../contract/clientes/clientes.ts';
import { EN_MANOS, type Estado } from '../../contract/pedidos/estados.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { can, mayEver, type Role } from '../../contract/policy/policy.ts';
import { listProducts } from '../../contract/products/products.ts';
import { listUsers } from '../../contract/users/users.ts';
import { useApi } from '../api.ts';
import { useSession } from '../session/session.ts';
import { clienteEntry, type Group, pedidoEntry, people, stock } from './entries.ts';

const DEBOUNCE = 250;
const LEAST = 2;
const PEDIDOS = 6;
const CLIENTES = 4;
const MINUTE = 60_000;

/** Estados to search in, for roles whose list does not show every estado. */
const FOUND_IN: Partial<Record<Role, readonly Estado[]>> = { transportista: EN_MANOS };

/** Searches orders, customers, users and products that the person may see. */
export function useFound(query: string): { found: Group[]; busy: boolean } {
  const user = useSession();
  const [asked] = useDebouncedValue(query, DEBOUNCE);
  const enough = asked.length >= LEAST;
  const pedidos = useApi(
    listPedidos,
    { query: { search: asked, per_page: PEDIDOS, estado: FOUND_IN[user.role]?.join(',') } },
    { enabled: enough, keepPrevious: true },
  );
  const clientes = useApi(
    listClientes,
    { query: { search: asked, per_page: CLIENTES } },
    { enabled: enough && mayEver(user, 'cliente:read'), keepPrevious: true },
  );
  const users = useApi(listUsers, { query: {} }, { enabled: can(user, 'user:manage'), staleTime: MINUTE });
  const products = useApi(listProducts, {}, { enabled: can(user, 'product:manage'), staleTime: MINUTE });
  if (query.length < LEAST) return { found: [], busy: false };
  return {
    found: [
      { label: 'Pedidos', entries: enough ? (pedidos.data?.data ?? []).map((pedido) => pedidoEntry(user.role, pedido)) : [] },
      { label: 'Clientes', entries: enough ? (clientes.data?.data ?? []).map(clienteEntry) : [] },
      { label: 'Personas', entries: people(query, users.data?.data ?? []) },
      { label: 'Productos', entries: stock(query, products.data?.data ?? []) },
    ],
    busy: query !== asked || pedidos.isFetching || clientes.isFetching,
  };
}
