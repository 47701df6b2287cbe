import { Badge } from '@mantine/core';
import { hora } from '../ui/format/format.ts';
import type { Optimistic } from './optimistic.ts';

/** Badge of an order whose latest step has not reached the server. */
export const Unsent = ({ pedido: { unsent } }: { pedido: Optimistic }) =>
  unsent !== undefined && (
    <Badge color="orange" variant="light" tt="none">
      Pendiente de enviar · {hora(Date.parse(unsent))}
    </Badge>
  );
