import { Button, Group, Text } from '@mantine/core';
import { IconCircleX, IconDownload, IconPrinter, IconUserCheck, IconX } from '@tabler/icons-react';
import { MAX_LOTE } from '../../../contract/pedidos.lote.ts';
import { number } from '../../ui/format/format.ts';
import { ButtonLink } from '../../ui/page/link.tsx';
import classes from './bar.module.css';
import { imprimirHref } from './print.ts';
import { cuantos, idsOf, MAX_IDS, type UseSeleccion } from './use-selection.ts';

type Props = { eleccion: UseSeleccion; busy: boolean; onAsignar: () => void; onCancelar: () => void };

/** What can be done with the chosen orders, at the foot of the list while there are any. */
export function LoteBarra({ eleccion, busy, onAsignar, onCancelar }: Props) {
  const { seleccion, elegirTodos, total, quitar, demasiados, filtro } = eleccion;
  const n = cuantos(seleccion);
  const off = busy || demasiados;
  const printable = !demasiados && (seleccion.todos !== undefined || n <= MAX_IDS);
  if (n === 0) return null;
  return (
    <section className={classes.bar} aria-label="Pedidos elegidos">
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {n === 1 ? '1 pedido elegido' : `${number(n)} pedidos elegidos`}
        </Text>
        {elegirTodos && (
          <Button variant="subtle" size="xs" onClick={elegirTodos} disabled={busy}>
            Seleccionar los {number(total)} que coinciden
          </Button>
        )}
        {demasiados && (
          <Text size="xs" c="var(--mantine-color-error)">
            Como máximo {MAX_LOTE} pedidos a la vez: usa los filtros
          </Text>
        )}
      </Group>
      <Group gap="xs">
        <Button size="xs" leftSection={<IconUserCheck size={16} aria-hidden />} onClick={onAsignar} disabled={off}>
          Asignar
        </Button>
        <Button
          component="a"
          href={printable ? imprimirHref(seleccion, filtro) : undefined}
          target="_blank"
          size="xs"
          variant="default"
          title="Albaranes, en una pestaña nueva"
          data-disabled={!printable || undefined}
          aria-disabled={!printable || undefined}
          leftSection={<IconPrinter size={16} aria-hidden />}
        >
          Imprimir
        </Button>
        {(seleccion.todos !== undefined || n <= MAX_IDS) && (
          <ButtonLink
            to="/exportar-datos"
            search={seleccion.todos === undefined ? { ids: idsOf(seleccion) } : filtro}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Exportar
          </ButtonLink>
        )}
        <Button
          size="xs"
          variant="default"
          c={off ? undefined : 'var(--mantine-color-error)'}
          leftSection={<IconCircleX size={16} aria-hidden />}
          onClick={onCancelar}
          disabled={off}
        >
          Cancelar pedidos
        </Button>
        <Button size="xs" variant="subtle" color="gray" leftSection={<IconX size={16} aria-hidden />} onClick={quitar} disabled={busy}>
          Quitar selección
        </Button>
      </Group>
    </section>
  );
}
