import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { getCliente } from '../../../contract/clientes/clientes.ts';
import { useApi } from '../../api.ts';
import { clienteFilled } from '../cliente/cliente-values.ts';
import type { NewPedidoValues } from './draft.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Form = { getValues: () => NewPedidoValues; setValues: (values: Partial<NewPedidoValues>) => void };

/** Fills the form once with the customer from the address (`?cliente=…`) and the customer's reseller. */
export function useClienteGiven(form: Form): void {
  const search: Partial<Record<string, unknown>> = useSearch({ strict: false });
  const given = String(search.cliente ?? '');
  const wanted = UUID.test(given);
  const { data } = useApi(getCliente, { params: { id: given } }, { enabled: wanted });
  const filled = useRef<string>(undefined);
  useEffect(() => {
    if (!wanted || !data || filled.current === given) return;
    filled.current = given;
    form.setValues({ ...clienteFilled(form.getValues(), data.data), revendedor_id: data.data.revendedor_id ?? '' });
  }, [data, wanted, given, form]);
}
