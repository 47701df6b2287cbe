import { type Liquidacion, remesa } from '../../contract/liquidaciones/liquidaciones.ts';
import { useMutate } from '../api.ts';
import { today } from '../ui/format/format.ts';
import { toast } from '../ui/page/toast.tsx';

/** Downloads statements as a file of transfers for the bank; a toast names the missing data. */
export function useRemesa() {
  const write = useMutate(remesa, {
    success: false,
    failure: 'No se pudo hacer el fichero',
    onSuccess: ({ data: { nombre, contenido } }) => {
      const href = URL.createObjectURL(new Blob([contenido], { type: 'application/xml' }));
      Object.assign(document.createElement('a'), { href, download: nombre }).click();
      URL.revokeObjectURL(href);
      toast.success('Súbelo a tu banco; después, márcalas como pagadas.', { title: 'Fichero de transferencias hecho' });
    },
  });
  const download = (liquidaciones: readonly Liquidacion[]) =>
    write.mutate({ query: { ids: liquidaciones.map(({ id }) => id).join(','), fecha: today() } });
  return { download, busy: write.isPending };
}
