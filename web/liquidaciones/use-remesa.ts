import { useState } from 'react';
import { type Liquidacion, remesa } from '../../contract/liquidaciones.ts';
import { NO_CONNECTION } from '../api.ts';
import { today } from '../ui/format/format.ts';
import { toast } from '../ui/page/toast.tsx';

/** Downloads statements as a file of transfers for the bank; a toast says what is missing. */
export function useRemesa() {
  const [busy, setBusy] = useState(false);
  async function download(liquidaciones: readonly Liquidacion[]) {
    setBusy(true);
    const fecha = today();
    try {
      const answer = await fetch(`${remesa.path}?${new URLSearchParams({ ids: liquidaciones.map(({ id }) => id).join(','), fecha })}`);
      if (!answer.ok) return toast.error((await answer.json()).message, { title: 'No se pudo hacer el fichero' });
      const href = URL.createObjectURL(await answer.blob());
      Object.assign(document.createElement('a'), { href, download: `transferencias-${fecha}.xml` }).click();
      URL.revokeObjectURL(href);
      toast.success('Súbelo a tu banco; después, márcalas como pagadas.', { title: 'Fichero de transferencias hecho' });
    } catch {
      toast.error(NO_CONNECTION);
    } finally {
      setBusy(false);
    }
  }
  return { download, busy };
}
