import { Alert, Badge, Button, Stack, Text } from '@mantine/core';
import { INPUTS, type InputName } from '../../contract/pedidos.inputs.ts';
import { companyLabel } from '../../contract/pedidos.metodos.ts';
import type { Act } from '../outbox/store.ts';
import { fechaHora, hora, isoDay, today } from '../ui/format/format.ts';
import type { Laid } from './use-acts.ts';

const when = (at: string) => (isoDay(at) === today() ? `a las ${hora(Date.parse(at))}` : `el ${fechaHora(at)}`);

/** Says that what is shown of an order has not reached the server. */
export const Unsent = ({ pedido: { unsent } }: { pedido: Laid }) =>
  unsent !== undefined && (
    <Badge color="orange" variant="light" tt="none">
      Pendiente de enviar · {hora(Date.parse(unsent))}
    </Badge>
  );

/** Acts that the server has refused, each beside its reason, until they are read. */
export function RefusedActs({ acts, onRead }: { acts: readonly Act[]; onRead: (id: string) => void }) {
  const refused = acts.filter(({ state }) => state === 'rechazado');
  if (refused.length === 0) return null;
  return (
    <Stack gap="xs" mb="md">
      {refused.map((act) => (
        <Alert key={act.id} color="orange" title={`${act.numero}: no se ha registrado`}>
          <Text size="sm">
            Lo que hiciste: <strong>{act.label}</strong> {when(act.at)} · {act.reason}
          </Text>
          <Typed body={act.body} />
          <Button size="sm" variant="default" mt="xs" mih={44} onClick={() => onRead(act.id)}>
            Entendido
          </Button>
        </Alert>
      ))}
    </Stack>
  );
}

function Typed({ body }: Pick<Act, 'body'>) {
  const typed = (Object.keys(INPUTS) as InputName[]).flatMap((name) => {
    const value = body[name];
    return typeof value === 'string' && value ? [`${INPUTS[name].label}: ${companyLabel(value)}`] : [];
  });
  return typed.length > 0 && <Text size="sm">{typed.join(' · ')}</Text>;
}
