import type { UseFormReturnType } from '@mantine/form';
import { type ChangeEvent, useRef, useState } from 'react';
import type { ClienteValues } from './cliente-values.ts';
import { poblacionesDe } from './poblaciones.ts';
import { provinciaOf } from './provincias.ts';

export type ClienteForm = Pick<UseFormReturnType<ClienteValues>, 'getInputProps' | 'setFieldValue' | 'getValues' | 'key'>;

/** Fills in province and town of a Spanish postcode, unless different values were typed. If the postcode has several towns, `towns` lists them. */
export function usePostcode(form: ClienteForm): { change: (event: ChangeEvent<HTMLInputElement>) => void; towns: string[] } {
  // Values filled in from a postcode, which another postcode may replace.
  const filled = useRef<{ provincia?: string; ciudad?: string }>({});
  const [towns, setTowns] = useState<string[]>([]);

  async function fillTown(before: string, typed: string, pais: string) {
    const [old, found] = await Promise.all([poblacionesDe(before, pais), poblacionesDe(typed, pais)]);
    // Ignores an answer that further typing has superseded.
    if (form.getValues().cliente_codigo_postal !== typed) return;
    setTowns(found.length > 1 ? found : []);
    const ours = ['', filled.current.ciudad, ...old].includes(form.getValues().cliente_ciudad.trim());
    if (!ours || found.length === 0) return;
    filled.current.ciudad = found.length === 1 ? found[0] : '';
    form.setFieldValue('cliente_ciudad', filled.current.ciudad ?? '');
  }

  function change(event: ChangeEvent<HTMLInputElement>) {
    const { cliente_provincia, cliente_codigo_postal, cliente_pais } = form.getValues();
    const typed = event.currentTarget.value;
    form.getInputProps('cliente_codigo_postal').onChange(event);
    void fillTown(cliente_codigo_postal, typed, cliente_pais);
    const ours = ['', filled.current.provincia, provinciaOf(cliente_codigo_postal, cliente_pais)].includes(cliente_provincia.trim());
    const found = provinciaOf(typed, cliente_pais);
    if (!ours || !found) return;
    filled.current.provincia = found;
    form.setFieldValue('cliente_provincia', found);
  }

  return { change, towns };
}
