import { Button, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { avisarTransferencia } from '../../contract/pagar/pagar.ts';
import { useMutate } from '../api.ts';
import { fecha } from '../ui/format/format.ts';
import classes from './pagar.module.css';

type Props = {
  token: string;
  announced: boolean;
  /** Day on which the unpaid order expires; null for no limit. */
  until: string | null;
  empresa: string;
};

/** Lets the customer announce a transfer, so that the business checks its account. */
export function AnnounceTransfer({ token, announced, until, empresa }: Props) {
  const say = useMutate(avisarTransferencia, { failure: 'No se pudo enviar el aviso' });
  return (
    <div className={classes.say} aria-live="polite">
      {announced ? (
        <Text size="sm" className={classes.said}>
          <IconCheck size={18} aria-hidden />
          Nos has dicho que ya has hecho la transferencia. {empresa} comprobará que ha llegado.
          {until && ` Si no llega antes del ${fecha(until)}, el pedido se cancelará.`}
        </Text>
      ) : (
        <Button variant="default" mih={44} fullWidth loading={say.isPending} onClick={() => say.mutate({ params: { token } })}>
          Ya he hecho la transferencia
        </Button>
      )}
    </div>
  );
}
