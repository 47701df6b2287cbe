import '@mantine/core/styles/Alert.css';
import { Alert } from '@mantine/core';
import { IconCoinEuro } from '@tabler/icons-react';
import { money, number } from '../ui/format/format.ts';

type Props = {
  /** How many of the orders have been paid, wholly or in part; one when only one is cancelled. */
  paid: number;
  /** What has been paid for them, in euros. */
  amount: number;
  /** How many are cancelled. */
  of?: number;
};

/** Says, before orders are cancelled, how much money will then be owed to their customers. */
export function RefundDue({ paid, amount, of = 1 }: Props) {
  if (paid === 0) return null;
  const which = of === 1 ? 'Está pagado' : paid === 1 ? '1 de ellos está pagado' : `${number(paid)} de ellos están pagados`;
  return (
    <Alert color="orange" icon={<IconCoinEuro size={18} aria-hidden />} role="note" title={`Habrá que devolver ${money(amount)}`}>
      {which}. El dinero quedará en «Devoluciones pendientes» hasta que lo devuelvas en el banco y lo anotes.
    </Alert>
  );
}
