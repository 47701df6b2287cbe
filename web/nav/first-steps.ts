import { useLocalStorage } from '@mantine/hooks';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { PasoInicio } from '../../contract/payments/fields.ts';
import { getInicio } from '../../contract/payments/payments.ts';
import { apiQuery, queryClient, useApi } from '../api.ts';
import { useSession } from '../session/session.ts';
import { toast } from '../ui/page/toast.tsx';

/** First steps of a new shop: what each is for, and the form that does it. */
export const PASO: Record<PasoInicio, { label: string; hint: string } & Pick<LinkProps, 'to' | 'search'>> = {
  empresa: {
    label: 'El nombre de tu empresa',
    hint: 'Lo ven tus clientes al pagar y en el albarán.',
    to: '/configuracion',
    search: { tab: 'general', campo: 'companyName' },
  },
  cobro: {
    label: 'Cómo te pagan',
    hint: 'El IBAN de tu cuenta, o una pasarela de tarjeta.',
    to: '/configuracion',
    search: { tab: 'general', campo: 'companyIban' },
  },
  producto: {
    label: 'Un producto con su pack',
    hint: 'Nombre, precio y unidades, en un formulario.',
    to: '/control-stock',
    search: { primero: 'si' },
  },
  telefono: {
    label: 'Que se pueda abrir desde el teléfono',
    hint: 'Quien reparte y quien vende entran desde el suyo.',
    to: '/telefono',
    search: {},
  },
  transportista: {
    label: 'Un transportista',
    hint: 'La persona que reparte los pedidos.',
    to: '/gestion-usuarios',
    search: { rol: 'transportista', nuevo: 'si' },
  },
  revendedor: {
    label: 'Un revendedor',
    hint: 'La persona que los vende.',
    to: '/gestion-usuarios',
    search: { rol: 'revendedor', nuevo: 'si' },
  },
  pedido: { label: 'El primer pedido', hint: 'Puedes hacerlo tú.', to: '/pedidos/nuevo-admin' },
};

/** True if this person has hidden «Para empezar», with its setter. */
export const usePutAway = () =>
  useLocalStorage({ key: `enruta-empezar-${useSession().id}`, defaultValue: false, getInitialValueInEffect: false });

/** Leads from a step that is done on this screen to the next one, by a toast. Silent unless the Dashboard has shown missing steps. */
export function useNextStep(): void {
  const navigate = useNavigate();
  const [away] = usePutAway();
  const shown = queryClient.getQueryData(apiQuery(getInicio, {}).queryKey);
  const missing = useApi(getInicio, {}, { enabled: !away && !!shown }).data?.data.faltan;
  const before = useRef(missing);
  useEffect(() => {
    const [next] = missing ?? [];
    const done = before.current?.find((paso) => !missing?.includes(paso));
    before.current = missing;
    if (!next || !done) return;
    const action = { label: `Siguiente: ${PASO[next].label}`, onClick: () => void navigate(PASO[next]) };
    toast.info(`${PASO[done].label}: hecho.`, { action, about: 'siguiente', autoClose: false });
  }, [missing, navigate]);
}
