import { Anchor, Button, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isWhole, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useApi } from '../../api.ts';
import { DetailsDialog } from '../../pedidos/detail/details-dialog.tsx';
import { EstadoCell } from '../../pedidos/table/matter.tsx';
import { fecha, money } from '../../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../../ui/list/loaded.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { TODOS } from '../../vistas/use-vistas.ts';
import classes from './revendedor.module.css';

const SHOWN = 4;
/** «Pedidos Recientes»: the latest four orders of the chosen dates. */
export function RecentOrders(dates: { fecha_desde: string; fecha_hasta: string }) {
  const recent = useApi(listPedidos, { query: { per_page: SHOWN, ...dates } }, { keepPrevious: true });
  const [open, setOpen] = useState<Pedido>();
  const all = (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/mis-pedidos" search={{ ...dates, vista: TODOS }} />}>
      Ver todos
    </Anchor>
  );
  const create = (
    <Button component={Link} to="/pedidos/nuevo" variant="default" size="xs" mt="xs">
      Nuevo Pedido
    </Button>
  );
  return (
    <Panel title="Pedidos Recientes" aside={all} busy={!recent.data}>
      <Loaded query={recent} failed="Error al cargar los pedidos" waiting={<Skeletons heights={Array(SHOWN).fill(52)} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No hay pedidos recientes" action={create} />
          ) : (
            <ul className={classes.list}>
              {data.filter(isWhole).map((pedido) => (
                <li key={pedido.id}>
                  <UnstyledButton className={classes.row} onClick={() => setOpen(pedido)}>
                    <span className={classes.who}>
                      <Text component="span" fw={600}>
                        {pedido.numero_orden}
                      </Text>
                      <Text component="span" truncate>
                        {pedido.cliente_nombre}
                      </Text>
                    </span>
                    <EstadoCell pedido={pedido} />
                    <span className={classes.much}>
                      <Text component="span" fw={600}>
                        {money(pedido.precio_total)}
                      </Text>
                      <Text component="span" variant="detail">
                        {fecha(pedido.fecha_pedido)}
                      </Text>
                    </span>
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <DetailsDialog pedido={open} onClose={() => setOpen(undefined)} />
    </Panel>
  );
}
