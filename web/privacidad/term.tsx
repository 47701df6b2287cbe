import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { getPlazo } from '../../contract/privacidad/privacidad.ts';
import { useApi } from '../api.ts';
import { fechaHora, number } from '../ui/format/format.ts';
import { Loaded } from '../ui/list/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';

const orders = (n: number) => (n === 1 ? '1 pedido' : `${number(n)} pedidos`);

/** Automatic anonymisation: the retention period and the next run. */
export function Term() {
  const query = useApi(getPlazo, {});
  return (
    <Panel title="Por plazo">
      <Loaded query={query} failed="No se pudo cargar el plazo" waiting={<Skeleton h={44} role="status" aria-label="Cargando..." />}>
        {({ data: { meses, pendientes, proxima, anonimizados } }) => (
          <>
            <Text size="sm">
              {meses === 0 || !proxima
                ? 'Ningún pedido se anonimiza solo.'
                : `Los pedidos se anonimizan ${meses === 1 ? '1 mes' : `${number(meses)} meses`} después de terminar. Lo han cumplido ${orders(pendientes)}; la próxima vez es el ${fechaHora(proxima)}.`}
            </Text>
            <Text size="xs" c="dimmed" mt={4}>
              {anonimizados > 0 && `Hay ${orders(anonimizados)} sin datos del cliente. `}
              El plazo se cambia en{' '}
              <Anchor inherit renderRoot={(props) => <Link {...props} to="/configuracion" search={{ tab: 'security' }} />}>
                Configuración → Seguridad
              </Anchor>
              .
            </Text>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
