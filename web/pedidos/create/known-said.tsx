import { Alert, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBan, IconUserCheck } from '@tabler/icons-react';
import { type Cliente, listClientes } from '../../../contract/clientes/clientes.ts';
import { can } from '../../../contract/policy/policy.ts';
import { isMadeUp, telephoneDigits } from '../../../contract/text/telephone.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { plain } from '../../ui/list/local-list.ts';
import type { ClienteValues } from '../cliente/cliente-values.ts';
import { SaidOfCliente } from '../cliente/said.tsx';

const DEBOUNCE = 400;
/** Number of digits of a complete phone number. */
const SHOWN = 8;

const oneOf = (text: string) => plain(text.trim().replace(/\s+/g, ' '));

/** Known customer that matches the form: by phone, else by name and postcode. */
function useKnown(values: ClienteValues & { revendedor_id: string }): Cliente | undefined {
  const actor = useSession();
  const seller = can(actor, 'pedido:create-free') ? values.revendedor_id || null : actor.id;
  const digits = telephoneDigits(values.cliente_telefono, values.cliente_pais);
  const postcode = values.cliente_codigo_postal.trim();
  const byPhone = !isMadeUp(digits);
  const [search] = useDebouncedValue(byPhone ? digits : postcode ? values.cliente_nombre.trim().slice(0, 100) : '', DEBOUNCE);
  const { data } = useApi(listClientes, { query: { search, per_page: SHOWN } }, { enabled: search.length >= 3, staleTime: 10_000 });
  const isIt = ({ cliente_nombre, cliente_telefono, cliente_codigo_postal, cliente_pais }: Cliente) =>
    byPhone
      ? telephoneDigits(cliente_telefono, cliente_pais) === digits
      : !!postcode && cliente_codigo_postal === postcode && oneOf(cliente_nombre) === oneOf(values.cliente_nombre);
  // Each reseller has their own customers, so customers of other resellers do not count.
  return search ? data?.data.find((cliente) => cliente.revendedor_id === seller && isIt(cliente)) : undefined;
}

/** Note about the known customer of a new order, and whether the customer is blocked. */
export function KnownSaid({ values }: { values: ClienteValues & { revendedor_id: string } }) {
  const actor = useSession();
  const known = useKnown(values);
  const { nota, avisar_antes, bloqueado_motivo } = known ?? {};
  return (
    <div aria-live="polite">
      {bloqueado_motivo && (
        <Alert color="red" role="note" p="xs" mt="sm" icon={<IconBan size={18} aria-hidden />} title="Cliente bloqueado">
          <Text>{bloqueado_motivo}</Text>
          <Text>
            {can(actor, 'cliente:block', { revendedor_id: null })
              ? 'Aun así, tú puedes crear el pedido.'
              : 'No puedes crear pedidos suyos.'}
          </Text>
        </Alert>
      )}
      {(nota || avisar_antes) && (
        <Alert color="accent" role="note" p="xs" mt="sm" icon={<IconUserCheck size={18} aria-hidden />} title="Cliente conocido">
          <SaidOfCliente nota={nota} avisar_antes={avisar_antes} label="Nota" />
        </Alert>
      )}
    </div>
  );
}
