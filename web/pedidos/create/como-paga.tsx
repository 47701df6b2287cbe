import { Anchor, Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { getCostumbre } from '../../../contract/clientes/clientes.ts';
import { FORMA_PAGO_LABEL, FORMAS_PAGO, type FormaPago } from '../../../contract/payments/fields.ts';
import { getInicio } from '../../../contract/payments/payments.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import { lazyPart } from '../../lazy.ts';
import { useSession } from '../../session/session.ts';
import { ChoiceTiles } from '../../ui/form/choice-tiles.tsx';
import type { NewPedidoValues } from './draft.ts';

const MEANS: Record<FormaPago, string> = {
  enlace: 'Espera el pago antes de repartirse. Tendrás un enlace para el cliente.',
  al_entregar: 'Sale a reparto sin pagar: se lo cobra quien lo entrega.',
  pagado: 'Sale a reparto, y no hay nada que cobrar.',
  despues: 'Sale a reparto sin cobrar nada, y queda «Por cobrar».',
};

export type Ways = {
  offered: FormaPago[];
  /** True if the shop has neither an IBAN nor a payment gateway, so that no link can be paid. */
  nowhere: boolean;
  /** The chosen way, else the usual one, else that of an order of which nothing is said. */
  of: (values: Pick<NewPedidoValues, 'forma'>) => FormaPago;
};

/** Ways to pay that the person may choose for a new order, and the usual one. */
export function useWays(): Ways {
  const actor = useSession();
  const free = can(actor, 'pedido:create-free');
  const { data } = useApi(getInicio, {}, { enabled: free });
  const { data: custom } = useApi(getCostumbre, {});
  const nowhere = data?.data.faltan.includes('cobro') ?? false;
  const may: Record<FormaPago, boolean> = {
    enlace: !nowhere,
    al_entregar: actor.contra_reembolso === true,
    pagado: can(actor, 'pedido:create-paid'),
    despues: free,
  };
  const offered = FORMAS_PAGO.filter((forma) => may[forma]);
  const known = (forma: string | null | undefined) => offered.find((each) => each === forma);
  return { offered, nowhere, of: ({ forma }) => known(forma) ?? known(custom?.data.forma) ?? (free ? 'despues' : 'enlace') };
}

type Form = {
  values: NewPedidoValues;
  errors: Partial<Record<string, ReactNode>>;
  setValues: (values: Partial<NewPedidoValues>) => void;
  clearErrors: () => void;
};

// Brings the calendar, which a reseller's form does not need.
const PaidAlready = lazyPart(async () => ({ default: (await import('./paid-already.tsx')).PaidAlready }));

/** «¿Cómo paga?»: what follows from the choice stands below, and of a paid order how and when it was paid. */
export function ComoPaga({ form, ways }: { form: Form; ways: Ways }) {
  const { values, errors } = form;
  const forma = ways.of(values);
  const set = (changed: Partial<NewPedidoValues>) => {
    form.clearErrors();
    form.setValues(changed);
  };
  return (
    <Box mt="sm">
      {ways.offered.length > 1 && (
        <ChoiceTiles
          label="¿Cómo paga?"
          optional
          options={ways.offered.map((value) => ({ value, label: FORMA_PAGO_LABEL[value] }))}
          value={forma}
          onChange={(chosen) => set({ forma: chosen })}
          error={errors.contra_reembolso ?? errors.pago}
        />
      )}
      <Suspense fallback={null}>{forma === 'pagado' && <PaidAlready values={values} errors={errors} onChange={set} />}</Suspense>
      <Text variant="detail">
        {MEANS[forma]}
        {ways.nowhere && (
          <>
            {' '}
            Para cobrar con enlace falta tu IBAN o una pasarela:{' '}
            <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/configuracion" target="_blank" />}>
              Configuración
            </Anchor>
            .
          </>
        )}
      </Text>
    </Box>
  );
}
