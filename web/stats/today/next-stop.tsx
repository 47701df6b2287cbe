import { Skeleton } from '@mantine/core';
import { mayLeave } from '../../../contract/pedidos/situation.ts';
import { getRuta } from '../../../contract/ruta/ruta.ts';
import { useApi } from '../../api.ts';
import { inOrder } from '../../ruta/arrange.ts';
import { useSession } from '../../session/session.ts';
import { AsignadoCard } from '../../transportista/asignado-card.tsx';
import { useAsignados } from '../../transportista/use-asignados.ts';
import { useSteps } from '../../transportista/use-steps.tsx';
import { ButtonLink } from '../../ui/page/link.tsx';
import { Panel } from '../../ui/page/panel.tsx';

/** «Siguiente parada» of a carrier, with its buttons; nothing without an order that may leave. */
export function NextStop() {
  const { ruta } = useSession();
  const { rows } = useAsignados();
  const sequence = useApi(getRuta, {}, { enabled: !!ruta }).data?.data;
  const { stepsOf, show, dialogs } = useSteps(rows);
  const free = rows?.filter((row) => mayLeave({ ...row, revendedor_id: null })) ?? [];
  const stops = sequence ? inOrder(free, sequence) : free;
  // Orders on the road come before those still to be loaded.
  const next = stops.find(({ estado }) => estado === 'en_ruta') ?? stops[0];
  return (
    <>
      {!rows && <Skeleton h={296} />}
      {next && (
        <Panel
          title="Siguiente parada"
          aside={
            stops.length > 1 && (
              <ButtonLink to="/pedidos-asignados" size="compact-sm" variant="subtle">
                Ver todas
              </ButtonLink>
            )
          }
        >
          <AsignadoCard pedido={next} steps={stepsOf(next)} onDetails={() => show(next)} />
        </Panel>
      )}
      {dialogs}
    </>
  );
}
