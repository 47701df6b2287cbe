import { plural } from '../../../contract/text/plural.ts';
import '@mantine/core/styles/Alert.css';
import { Alert } from '@mantine/core';
import { IconCoinEuro } from '@tabler/icons-react';
import { money } from '../../ui/format/format.ts';

type Props = {
  /** Number of the orders to cancel or delete that are paid, at least in part. */
  paid: number;
  /** Amount paid and not refunded for these orders, in euros. */
  amount: number;
  /** Number of orders to cancel or delete. */
  of?: number;
};

/** Warns before a cancellation or deletion how much money must be refunded. */
export function RefundDue({ paid, amount, of = 1 }: Props) {
  if (paid === 0) return null;
  const which = of === 1 ? 'Está pagado' : plural(paid, 'de ellos está pagado', 'de ellos están pagados');
  return (
    <Alert color="orange" icon={<IconCoinEuro size={18} aria-hidden />} role="note" title={`Habrá que reembolsar ${money(amount)}`}>
      {which}. El dinero quedará en «Reembolsos pendientes» hasta que lo reembolses en el banco y lo anotes.
    </Alert>
  );
}
