import { Button, Menu, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconChevronDown,
  IconCircleX,
  IconDownload,
  IconPrinter,
  IconTrash,
  IconTrashOff,
  IconTruckLoading,
  IconUserCheck,
  IconX,
} from '@tabler/icons-react';
import { MAX_LOTE } from '../../../contract/pedidos/fields.ts';
import { plural } from '../../../contract/text/plural.ts';
import { LabelMenu } from '../../etiquetas/label-menu.tsx';
import { useSession } from '../../session/session.ts';
import { number } from '../../ui/format/format.ts';
import { ChoiceBar } from '../../ui/list/choice-bar.tsx';
import { ButtonLink } from '../../ui/page/link.tsx';
import { TRANSITION_ICON } from '../actions/icons.ts';
import { printHref } from '../print/print.ts';
import { type Chosen, countSelected, MAX_IDS, selectedIds, type UseSelection } from '../table/use-selection.ts';
import { ableIn } from './able.ts';
import type { LoteStep } from './accion.ts';

type Props = {
  choice: UseSelection;
  /** Chosen orders, as far as they are known; empty if chosen by filter. */
  known: readonly Chosen[];
  busy: boolean;
  onAssign: () => void;
  /** Set if the shop hands orders to shipping companies by file, and the orders are chosen one by one. */
  onShipment: (() => void) | undefined;
  onStep: (step: LoteStep) => void;
  onCancel: () => void;
  onDelete: () => void;
  /** Set if the orders are chosen one by one, and no more than are taken back at once. */
  onUndo: (() => void) | undefined;
  /** Set if the list shows deleted orders, which can only be restored. */
  onRestore: (() => void) | undefined;
};

export function LoteBar(props: Props) {
  const { selection, chooseAll, total, clear, tooMany } = props.choice;
  const { busy, onRestore } = props;
  const n = countSelected(selection);
  if (n === 0) return null;
  return (
    <ChoiceBar
      of="Pedidos elegidos"
      label={plural(n, 'pedido elegido', 'pedidos elegidos')}
      notes={
        <>
          {chooseAll && (
            <Button variant="subtle" size="xs" onClick={chooseAll} disabled={busy}>
              Seleccionar los {number(total)} que coinciden
            </Button>
          )}
          {tooMany && (
            <Text size="xs" c="var(--mantine-color-error)">
              Como máximo {MAX_LOTE} pedidos a la vez: usa los filtros
            </Text>
          )}
        </>
      }
    >
      {onRestore ? (
        <Button size="xs" leftSection={<IconTrashOff size={16} aria-hidden />} onClick={onRestore} disabled={busy || tooMany}>
          Restaurar
        </Button>
      ) : (
        <Actions {...props} />
      )}
      <Button size="xs" variant="subtle" color="gray" leftSection={<IconX size={16} aria-hidden />} onClick={clear} disabled={busy}>
        Quitar selección
      </Button>
    </ChoiceBar>
  );
}

function Actions({ choice: { selection, filter, tooMany }, known, busy, onAssign, onShipment, onStep, onCancel, onDelete, onUndo }: Props) {
  const actor = useSession();
  const n = countSelected(selection);
  const off = busy || tooMany;
  const able = (act: string) => ableIn(actor, known, act);
  const printable = !tooMany && (selection.all !== undefined || n <= MAX_IDS);
  const button = (act: string) => ({ size: 'xs', disabled: off || able(act).none, title: able(act).words }) as const;
  const grave = (act: string) => ({
    ...button(act),
    variant: 'default',
    c: button(act).disabled ? undefined : 'var(--mantine-color-error)',
  });
  return (
    <>
      <Button {...button('assign')} leftSection={<IconUserCheck size={16} aria-hidden />} onClick={onAssign}>
        Asignar
      </Button>
      <StepMenu disabled={off} able={able} onStep={onStep} onUndo={onUndo} />
      {onShipment && (
        <Button size="xs" variant="default" leftSection={<IconTruckLoading size={16} aria-hidden />} onClick={onShipment} disabled={off}>
          Fichero de envío…
        </Button>
      )}
      <Button
        component="a"
        href={printable ? printHref(selection, filter) : undefined}
        target="_blank"
        size="xs"
        variant="default"
        title="Albaranes, lista de preparación y hoja de ruta, en una pestaña nueva"
        data-disabled={!printable || undefined}
        aria-disabled={!printable || undefined}
        leftSection={<IconPrinter size={16} aria-hidden />}
      >
        Imprimir
      </Button>
      {actor.etiquetas && (
        <LabelMenu
          chosen={selection.all === undefined ? { ids: selectedIds(selection) } : { todos: 'si', ...filter }}
          disabled={off || !printable}
        />
      )}
      {(selection.all !== undefined || n <= MAX_IDS) && (
        <ButtonLink
          to="/exportar-datos"
          search={selection.all === undefined ? { ids: selectedIds(selection) } : filter}
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Exportar
        </ButtonLink>
      )}
      <Button {...grave('cancelar')} leftSection={<IconCircleX size={16} aria-hidden />} onClick={onCancel}>
        Cancelar pedidos
      </Button>
      <Button {...grave('delete')} leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
        Eliminar
      </Button>
    </>
  );
}

/** Steps with the name of their action on one order. */
const STEPS: [LoteStep, act: string, label: string][] = [
  ['pagar', 'pay', 'Anotar pago'],
  ['preparar', 'preparar', 'Empezar a preparar'],
  ['salir', 'salir', 'Salir a reparto'],
  ['completar', 'complete', 'Completar'],
];

type StepMenuProps = { disabled: boolean; able: (act: string) => ReturnType<typeof ableIn>; onStep: (step: LoteStep) => void } & Pick<
  Props,
  'onUndo'
>;

const StepMenu = ({ disabled, able, onStep, onUndo }: StepMenuProps) => (
  <Menu position="top-start" width={260}>
    <Menu.Target>
      <Button size="xs" variant="default" disabled={disabled} rightSection={<IconChevronDown size={15} aria-hidden />}>
        Cambiar estado
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {STEPS.map(([step, act, label]) => {
        const Icon = TRANSITION_ICON[step];
        const { none, words } = able(act);
        return (
          <Menu.Item
            key={step}
            leftSection={<Icon size={16} stroke={1.8} aria-hidden />}
            aria-disabled={none || undefined}
            closeMenuOnClick={!none}
            c={none ? 'var(--mantine-color-disabled-color)' : undefined}
            onClick={() => !none && onStep(step)}
          >
            {label}
            {words && (
              <Text component="span" display="block" variant="detail">
                {words}
              </Text>
            )}
          </Menu.Item>
        );
      })}
      {onUndo && (
        <Menu.Item leftSection={<IconArrowBackUp size={16} stroke={1.8} aria-hidden />} onClick={onUndo}>
          Deshacer…
        </Menu.Item>
      )}
    </Menu.Dropdown>
  </Menu>
);
