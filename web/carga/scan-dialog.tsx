import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { type Escaneado, escanearPedido } from '../../contract/etiquetas/etiquetas.ts';
import { isEnding, MAX_CODIGO, matchesLabel } from '../../contract/etiquetas/fields.ts';
import { POR_CARGAR } from '../../contract/pedidos/estados.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { mayLeave, mayLoad } from '../../contract/pedidos/situation.ts';
import { townLine } from '../../contract/text/address.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { ApiError, call, useMutate } from '../api.ts';
import { LabelMenu } from '../etiquetas/label-menu.tsx';
import { confirm } from '../ui/dialog/confirm.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { ChoiceTiles } from '../ui/form/choice-tiles.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import Camera from './camera.tsx';
import classes from './carga.module.css';
import { Found, isOwn, LoadButton } from './found.tsx';
import type { Steps } from './steps.ts';
import { useLoad } from './use-load.ts';

const MODES = [
  { value: 'abrir', label: 'Abrir el pedido' },
  { value: 'cargar', label: 'Cargar' },
] as const;
type Mode = (typeof MODES)[number]['value'];
/** Timeout in ms of the lookup of a code on the server. */
const ASK_MS = 8000;

export type ScanProps = {
  /** Own open orders, with this phone's unsent steps applied. */
  own: readonly PedidoTransportista[];
  stepsOf: (pedido: PedidoTransportista) => Steps;
  onOpen: (pedido: PedidoTransportista) => void;
};

/** «Escanear»: finds an order by its label's QR code (camera or barcode scanner), its number, or at least the last four digits of it. */
export default function ScanDialog({ opened, onClose, ...props }: ScanProps & { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Escanear">
      <Scan {...props} />
    </Dialog>
  );
}

const wordsOf = (error: unknown) => {
  if (error instanceof ApiError && error.status === 0)
    return 'Ninguno de tus pedidos tiene ese número. Sin conexión no se puede buscar entre los demás';
  return error instanceof Error ? error.message : 'No se ha podido buscar';
};

const isToLoad = ({ estado }: PedidoTransportista) => POR_CARGAR.includes(estado);

function Scan({ own, stepsOf, onOpen }: ScanProps) {
  const phone = usePhone();
  const { load, goOut } = useLoad();
  const [mode, setMode] = useState<Mode>(own.some(isToLoad) && !own.some(({ estado }) => estado === 'en_ruta') ? 'cargar' : 'abrir');
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState<readonly Escaneado[]>([]);
  const [announcement, setSaid] = useState('');
  // Last digits that matched own orders. Kept to search the available orders too, which can end in the same digits.
  const [ending, setEnding] = useState<string>();
  const take = useMutate(autoAsignar, {
    failure: 'Error al asignar el pedido',
    onSuccess: ({ pedido }) => setShown([pedido]),
  });

  function show(found: readonly Escaneado[]) {
    // Loads a single match at once instead of showing it, so that the missing orders stay in sight. What does not leave is shown.
    const [loads] = mode === 'cargar' && found.length === 1 ? found.filter(isOwn).filter(mayLoad) : [];
    setShown(loads ? [] : found);
    setSaid(found.length > 1 ? `${found.length} pedidos acaban así: elige uno` : '');
    if (!loads) return;
    if (loads.cargado_at) return setSaid(`${loads.numero_orden} ya estaba cargado`);
    load(loads);
    setSaid(`${loads.numero_orden} cargado`);
    navigator.vibrate?.(60);
  }

  async function ask(codigo: string) {
    setEnding(undefined);
    setSaid('Buscando…');
    try {
      show((await call(escanearPedido, { query: { codigo }, limit: ASK_MS })).pedidos);
    } catch (error) {
      setShown([]);
      setSaid(wordsOf(error));
    }
  }

  function look(code: string) {
    const here = own.filter(({ numero_orden }) => matchesLabel(numero_orden, code));
    if (here.length === 0) return void ask(code);
    setEnding(isEnding(code) ? code : undefined);
    show(here);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const code = typed.trim();
    if (code.length < 4) return setSaid('Escribe al menos las últimas cuatro cifras del número');
    setTyped('');
    look(code);
  }

  const known = (pedido: Escaneado) => own.find(({ id }) => id === pedido.id) ?? pedido;
  return (
    <Stack gap="md">
      <Camera onCode={look} />
      <ChoiceTiles label="Al leer un código" optional options={MODES} value={mode} onChange={setMode} />
      <form className={classes.type} onSubmit={submit}>
        <TextInput
          label="Número o últimas cuatro cifras"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_CODIGO}
          size="md"
          // A phone's keyboard would cover the camera; a barcode scanner needs the field focused.
          data-autofocus={phone ? undefined : true}
        />
        <Button type="submit" variant="default" mih={48}>
          Buscar
        </Button>
      </form>
      <Text fw={600} aria-live="assertive" mih="1.4em">
        {announcement}
      </Text>
      {shown.map(known).map((pedido) => (
        <Found
          key={pedido.id}
          pedido={pedido}
          steps={isOwn(pedido) ? stepsOf(pedido) : { forward: [], back: [] }}
          onLoad={load}
          onTake={({ id }) => take.mutate({ params: { id } })}
          taking={take.isPending}
          onOpen={onOpen}
        />
      ))}
      {ending && (
        <Button variant="subtle" onClick={() => void ask(ending)}>
          No es ninguno de estos
        </Button>
      )}
      {mode === 'cargar' && <LoadingList pedidos={own.filter(isToLoad)} onLoad={load} onGoOut={goOut} />}
    </Stack>
  );
}

type Props = {
  /** Own orders that have not left yet. */
  pedidos: readonly PedidoTransportista[];
  onLoad: (pedido: PedidoTransportista, cargado: boolean) => void;
  onGoOut: (pedidos: readonly PedidoTransportista[]) => Promise<unknown>;
};

function LoadingList({ pedidos, onLoad, onGoOut }: Props) {
  const missing = pedidos.filter((pedido) => pedido.cargado_at === null && mayLeave(pedido));
  const loaded = pedidos.filter(({ cargado_at }) => cargado_at !== null);
  // What does not leave stays behind, even if loaded.
  const ready = loaded.filter(mayLeave);
  async function leave() {
    const left = `${missing.length === 1 ? 'Falta 1 pedido' : `Faltan ${missing.length} pedidos`} por cargar: se ${missing.length === 1 ? 'queda como está' : 'quedan como están'}.`;
    const sure = missing.length === 0 || (await confirm({ title: 'Salir a reparto', message: left, confirm: 'Salir con los cargados' }));
    if (sure) await onGoOut(ready);
  }
  if (pedidos.length === 0) return <Text c="dimmed">No tienes pedidos por cargar.</Text>;
  return (
    <Stack gap="md">
      <Part title="Faltan" pedidos={missing} onLoad={onLoad} />
      <Part title="Cargados" pedidos={loaded} onLoad={onLoad} />
      <Group>
        {ready.length > 0 && (
          <Button mih={48} leftSection={<IconTruckDelivery size={18} aria-hidden />} onClick={() => void leave()}>
            Salir a reparto con {ready.length === 1 ? 'el cargado' : `los ${ready.length} cargados`}
          </Button>
        )}
        {/* Filters by estado, because the ids of a full van do not fit an address. */}
        <LabelMenu thumb chosen={{ todos: 'si', estado: POR_CARGAR.join(',') }} />
      </Group>
    </Stack>
  );
}

const Part = ({ title, pedidos, onLoad }: Pick<Props, 'pedidos' | 'onLoad'> & { title: string }) => (
  <section aria-label={title}>
    <Title order={3} size="h5">
      {title} ({pedidos.length})
    </Title>
    <Stack component="ul" gap={0}>
      {pedidos.map((pedido) => (
        <li key={pedido.id} className={classes.item}>
          <Text>
            <strong>{pedido.numero_orden}</strong> · {pedido.cliente_nombre}, {townLine(pedido)}
          </Text>
          <LoadButton pedido={pedido} onLoad={onLoad} />
        </li>
      ))}
    </Stack>
  </section>
);
