import '@mantine/core/styles/Alert.css';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { typedWords } from '../../contract/pedidos/typed.ts';
import { type Act, isFile } from '../outbox/store.ts';
import { fechaHora, hora, isoDay, money, today } from '../ui/format/format.ts';

const when = (at: string) => (isoDay(at) === today() ? `a las ${hora(Date.parse(at))}` : `el ${fechaHora(at)}`);

/** Acts that the server has refused, each beside its reason, until they are read. */
export default function RefusedActs({ acts, onRead }: { acts: readonly Act[]; onRead: (id: string) => void }) {
  const refused = acts.filter(({ state }) => state === 'rechazado');
  // Their order has left the list with its last step, or the step was refused and the office takes them all the same.
  const files = acts.filter(
    (act) => isFile(act) && act.state === 'pendiente' && !acts.some(({ id, wanted }) => id === act.after && !wanted),
  );
  if (refused.length + files.length === 0) return null;
  return (
    <Stack gap="xs" mb="md">
      {files.length > 0 && (
        <Text size="sm" c="dimmed">
          {files.length === 1 ? 'Queda 1 foto o firma' : `Quedan ${files.length} fotos o firmas`} por enviar:{' '}
          {[...new Set(files.map(({ numero }) => numero))].join(', ')}
        </Text>
      )}
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
  const typed = [...typedWords(body, money), ...(typeof body.texto === 'string' ? [`«${body.texto}»`] : [])];
  return typed.length > 0 && <Text size="sm">{typed.join(' · ')}</Text>;
}
