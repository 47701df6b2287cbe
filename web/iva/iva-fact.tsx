import { Button, Group, Text } from '@mantine/core';
import { ponerTipos } from '../../contract/facturables/facturables.ts';
import { FILA_IVA_LABEL, SIN_TIPO } from '../../contract/iva/fields.ts';
import { getPedido, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { can } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { useApi, useMutate } from '../api.ts';
import { lazyPart } from '../lazy.ts';
import { useSession } from '../session/session.ts';
import { money } from '../ui/format/format.ts';

const Destino = lazyPart(() => import('./destino.tsx'));

/** «Base 21,00 € · IVA 10 % 2,10 €»; without VAT, the label of the rate and the base. */
const wordsOf = ({ tipo, base, cuota }: NonNullable<Pedido['iva']>[number]): string =>
  cuota > 0 ? `Base ${money(base)} · IVA ${FILA_IVA_LABEL[tipo]} ${money(cuota)}` : `${FILA_IVA_LABEL[tipo]}: ${money(base)}`;

/** VAT of an open order, in small dimmed text; renders nothing in a shop without VAT. */
export function IvaFact({ pedido, className }: { pedido: Pedido; className?: string | undefined }) {
  const actor = useSession();
  const fill = useMutate(ponerTipos, { failure: 'No se pudo poner el tipo', invalidates: [getPedido] });
  const { id, iva = [], lineas = [] } = pedido;
  const without = iva.some(({ tipo }) => tipo === SIN_TIPO) ? lineas.filter((line) => line.iva === null).length : 0;
  const known = iva.filter(({ tipo }) => tipo !== SIN_TIPO);
  if (iva.length === 0) return null;
  return (
    <div className={className}>
      {known.map((row) => (
        <Text key={row.tipo} c="dimmed">
          {wordsOf(row)}
        </Text>
      ))}
      {pedido.cliente_pais && pedido.cliente_pais !== 'España' && <Destino pedido={pedido} canSay={can(actor, 'iva:fill')} />}
      {without > 0 && can(actor, 'iva:fill') && (
        <Group>
          <Text c="light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))">
            {plural(without, 'línea sin tipo de IVA', 'líneas sin tipo de IVA')}
          </Text>
          <Button size="compact-xs" variant="default" loading={fill.isPending} onClick={() => fill.mutate({ body: { pedido_id: id } })}>
            Poner el tipo del producto
          </Button>
        </Group>
      )}
    </div>
  );
}

/** Fetches an order that is known only as a row of a list, and shows its VAT. */
export default function IvaOf({ id }: { id: string }) {
  const { data } = useApi(getPedido, { params: { id } });
  return data && 'iva' in data.data ? <IvaFact pedido={data.data as Pedido} /> : null;
}
