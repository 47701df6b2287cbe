import { Badge } from '@mantine/core';
import { hora } from '../ui/format/format.ts';
import type { Optimistic } from './optimistic.ts';

/** Says that what is shown of an order has not reached the server. */
export const Unsent = ({ pedido: { unsent } }: { pedido: Optimistic }) =>
  unsent !== undefined && (
    <Badge color="orange" variant="light" tt="none">
      Pendiente de enviar · {hora(Date.parse(unsent))}
    </Badge>
  );
