import { IconQrcode } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { MAX_PER_PAGE } from '../../contract/kit/pages.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import { listPedidos, type PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { useApi } from '../api.ts';
import { lazyPart } from '../lazy.ts';
import { HeaderAction } from '../ui/page/header-action.tsx';
import type { ScanProps } from './scan-dialog.tsx';

const ScanDialog = lazyPart(() => import('./scan-dialog.tsx'));

type Props = Pick<ScanProps, 'stepsOf' | 'onOpen'> & {
  /** Applies this phone's unsent steps to the orders. */
  optimistic: (rows: readonly PedidoTransportista[]) => readonly PedidoTransportista[];
};

/** «Escanear», beside the title. Loads the carrier's open orders beforehand, so that scanning works in a garage without coverage. */
export function ScanButton({ optimistic, stepsOf, onOpen }: Props) {
  const [opened, setOpened] = useState(false);
  const { pedido: open }: { pedido?: unknown } = useSearch({ strict: false });
  const { data } = useApi(listPedidos, { query: { estado: EN_MANOS.join(','), per_page: MAX_PER_PAGE, dir: 'asc' } });
  // Closes the scan dialog as soon as the dialog of an order opens.
  useEffect(() => {
    if (open !== undefined) setOpened(false);
  }, [open]);
  const own = data?.data.filter((pedido): pedido is PedidoTransportista => 'cliente_telefono' in pedido) ?? [];
  return (
    <>
      <HeaderAction label="Escanear" icon={<IconQrcode size={18} aria-hidden />} onClick={() => setOpened(true)} />
      <Suspense>
        <ScanDialog opened={opened} onClose={() => setOpened(false)} own={optimistic(own)} stepsOf={stepsOf} onOpen={onOpen} />
      </Suspense>
    </>
  );
}
