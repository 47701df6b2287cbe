import { useState } from 'react';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { type Liquidacion, remesa } from '../../contract/liquidaciones/liquidaciones.ts';
import { useMutate } from '../api.ts';
import { today } from '../ui/format/format.ts';
import { toast } from '../ui/page/toast.tsx';

export type Remesa = Answer<typeof remesa>['data'];

/** Downloads statements as a file of transfers for the bank. `partial` is the outcome of a file that left statements out. */
export function useRemesa(onWritten: (ids: readonly string[]) => void) {
  const [partial, setPartial] = useState<Remesa>();
  const write = useMutate(remesa, {
    success: false,
    failure: 'No se pudo hacer el fichero',
    onSuccess: ({ data }) => {
      const { nombre, contenido, incluidas, fuera } = data;
      if (contenido !== null) {
        const href = URL.createObjectURL(new Blob([contenido], { type: 'application/xml' }));
        Object.assign(document.createElement('a'), { href, download: nombre }).click();
        URL.revokeObjectURL(href);
        onWritten(incluidas);
      }
      setPartial(fuera.length ? data : undefined);
      if (!fuera.length) toast.success('Súbelo a tu banco; después, márcalas como pagadas.', { title: 'Fichero de transferencias hecho' });
    },
  });
  const download = (liquidaciones: readonly Pick<Liquidacion, 'id'>[]) =>
    write.mutate({ query: { ids: liquidaciones.map(({ id }) => id).join(','), fecha: today() } });
  return { download, busy: write.isPending, partial, clear: () => setPartial(undefined) };
}
