import { Button, Skeleton } from '@mantine/core';
import { isWhole, listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { useApi } from '../../api.ts';
import { copyPaymentLink, whatsappAddress } from '../../pedidos/pagos/payment-link.ts';
import { fechaCercana, money } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/list/loaded.tsx';
import { CopyButton } from '../../ui/page/copy-button.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Line, TodayMatter } from './lines.tsx';
import classes from './today.module.css';
import { Undelivered } from './undelivered.tsx';

const NAMED = 3;
const UNPAID = { to: '/mis-pedidos', search: { estado: 'pendiente_pago' } } as const;

/** «Hoy» of a reseller: orders that wait for payment or for an answer. */
export function ResellerToday() {
  const unpaid = useApi(listPedidos, { query: { estado: 'pendiente_pago', per_page: NAMED } }).data;
  const waiting = useApi(listPedidos, { query: { incidencia: 'si', per_page: NAMED } }).data;
  const due = unpaid?.data.filter(isWhole) ?? [];
  return (
    <Panel title={`Hoy, ${fechaCercana(new Date())}`} busy={!unpaid || !waiting} mb={4}>
      {(!unpaid || !waiting) && <Skeleton h={120} />}
      {unpaid?.total === 0 && waiting?.total === 0 && <EmptyState title="Nada pendiente" hint="Nadie te debe nada y todo va de camino." />}
      <ul className={classes.lines}>
        <Line title="Por cobrar" count={unpaid?.total ?? 0} to={UNPAID}>
          {due.map((pedido, i) => {
            const { id, cliente_nombre, pendiente, payment_link } = pedido;
            return (
              <TodayMatter
                key={id}
                words={`${cliente_nombre}: ${money(pendiente)}`}
                more={i === due.length - 1 ? (unpaid?.total ?? 0) - due.length : 0}
                to={UNPAID}
              >
                {payment_link && (
                  <>
                    <Button
                      component="a"
                      href={whatsappAddress(pedido, payment_link)}
                      target="_blank"
                      rel="noopener noreferrer"
                      size="compact-sm"
                      variant="light"
                      aria-label={`Pedir el pago: ${cliente_nombre}`}
                    >
                      Pedir el pago
                    </Button>
                    <CopyButton size="compact-sm" copy={() => copyPaymentLink(payment_link)}>
                      Copiar enlace
                    </CopyButton>
                  </>
                )}
              </TodayMatter>
            );
          })}
        </Line>
        <Undelivered pedidos={waiting?.data.filter(isWhole) ?? []} total={waiting?.total ?? 0} />
      </ul>
    </Panel>
  );
}
