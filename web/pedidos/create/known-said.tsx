import { Alert, Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBan, IconRepeat, IconUserCheck } from '@tabler/icons-react';
import { type Cliente, type Costumbre, getCostumbre, listClientes } from '../../../contract/clientes/clientes.ts';
import { FORMA_PAGO_LABEL } from '../../../contract/payments/fields.ts';
import { can } from '../../../contract/policy/policy.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { isMadeUp, telephoneDigits } from '../../../contract/text/telephone.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { money } from '../../ui/format/format.ts';
import { plain } from '../../ui/list/local-list.ts';
import type { ClienteValues } from '../cliente/cliente-values.ts';
import { SaidOfCliente } from '../cliente/said.tsx';
import { EMPTY_LINEA } from '../lineas/values.ts';
import type { NewPedidoValues } from './draft.ts';

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

type Props = {
  form: { values: NewPedidoValues; setValues: (values: Partial<NewPedidoValues>) => void };
  packs: readonly Pack[] | undefined;
  /** Customer chosen from the suggestions. */
  picked: Cliente | undefined;
};

/** What is known of the customer of a new order: note, block, refusals, debts, and the last order, which «Lo mismo» repeats. */
export function KnownSaid({ form, packs, picked }: Props) {
  const { values } = form;
  const actor = useSession();
  const found = useKnown(values);
  const known = found ?? (picked && oneOf(picked.cliente_nombre) === oneOf(values.cliente_nombre) ? picked : undefined);
  const custom = useApi(getCostumbre, { query: known ? { cliente_id: known.id } : {} }, { enabled: !!known }).data?.data;
  const { nota, avisar_antes, bloqueado_motivo } = known ?? {};
  const { ultima, rechazados = 0, debe = 0 } = (known && custom) || {};
  const warned = rechazados > 0 || debe > 0;
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
      {(nota || avisar_antes || ultima || warned) && (
        <Alert
          color={warned ? 'orange' : 'accent'}
          role="note"
          p="xs"
          mt="sm"
          icon={<IconUserCheck size={18} aria-hidden />}
          title="Cliente conocido"
        >
          <SaidOfCliente nota={nota} avisar_antes={avisar_antes} label="Nota" />
          {debe > 0 && <Text fw={600}>Debe {money(debe)} de pedidos entregados.</Text>}
          {rechazados > 0 && <Text fw={600}>Ha rechazado {rechazados === 1 ? 'un pedido' : `${rechazados} pedidos`} en la puerta.</Text>}
          {ultima && <LastTime ultima={ultima} packs={packs} onRepeat={(same) => form.setValues(same)} />}
        </Alert>
      )}
    </div>
  );
}

type LastProps = {
  ultima: NonNullable<Costumbre['ultima']>;
  packs: readonly Pack[] | undefined;
  onRepeat: (same: Pick<NewPedidoValues, 'lineas' | 'forma'>) => void;
};

/** The customer's last order in words, and «Lo mismo», which fills in its packs that are sold today and how it was paid. */
function LastTime({ ultima: { lineas, total, forma }, packs, onRepeat }: LastProps) {
  const isSold = ({ pack_id }: (typeof lineas)[number]) => !!packs?.some(({ id, quedan }) => id === pack_id && quedan !== 0);
  const sold = lineas.filter(isSold);
  const gone = lineas.filter((linea) => !isSold(linea)).map(({ producto }) => producto);
  const repeat = () =>
    onRepeat({
      forma,
      lineas: sold.map(({ pack_id, cantidad }, index) => ({
        ...EMPTY_LINEA,
        key: index + 1,
        pack_id: pack_id ?? '',
        cantidad: String(cantidad),
      })),
    });
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text miw={0}>
        La última vez: {lineas.map(({ producto, cantidad }) => `${cantidad} × ${producto}`).join(', ')}, {money(total)},{' '}
        {FORMA_PAGO_LABEL[forma].toLowerCase()}.{packs && gone.length > 0 && ` Ahora no se vende: ${gone.join(', ')}.`}
      </Text>
      {sold.length > 0 && (
        <Button size="compact-sm" style={{ flex: 'none' }} leftSection={<IconRepeat size={16} aria-hidden />} onClick={repeat}>
          Lo mismo
        </Button>
      )}
    </Group>
  );
}
