import '@mantine/core/styles/Alert.css';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { typedWords } from '../../contract/pedidos/typed.ts';
import { isCorrectable, isFile, type Operation } from '../outbox/operation.ts';
import { AT_DOOR_MS } from '../outbox/states.ts';
import { useOperations } from '../pedidos/actions/use-operations.ts';
import { fechaHora, hora, isoDay, money, today } from '../ui/format/format.ts';

/** Returns the address of the form that corrects a refused delivery. */
const formOf = ({ pedido }: Operation) => ({ to: '/pedidos-asignados', search: { pedido, accion: 'completar' } }) as const;

/** Opens the form of a refused delivery once, while the carrier is still at the door and the list shows no dialog. */
function useFormAgain(refused: readonly Operation[]) {
  const navigate = useNavigate();
  const { pathname, search } = useRouterState({ select: ({ location }) => location });
  const opened = useRef(new Set<string>());
  const isFree = pathname === '/pedidos-asignados' && !('pedido' in search);
  const fresh = refused.find((row) => isCorrectable(row) && !row.reported && Date.now() - Date.parse(row.at) < AT_DOOR_MS);
  useEffect(() => {
    if (!fresh || !isFree || opened.current.has(fresh.id)) return;
    opened.current.add(fresh.id);
    void navigate(formOf(fresh));
  }, [fresh, isFree, navigate]);
}

const when = (at: string) => (isoDay(at) === today() ? `a las ${hora(Date.parse(at))}` : `el ${fechaHora(at)}`);

/** Steps that the server has not registered, in one box on every screen: refused steps until read, failed steps until sent. */
export function Unregistered() {
  const { operations, others, hide, sendNow } = useOperations();
  const refused = operations.filter(({ state }) => state === 'rechazado');
  const faulty = operations.filter(({ state, faults = 0 }) => state === 'pendiente' && faults > 0);
  // Unsent files whose step was sent, or refused while the office wants the files.
  const files = operations.filter(
    (row) => isFile(row) && row.state === 'pendiente' && !operations.some(({ id, wanted }) => id === row.after && !wanted),
  );
  useFormAgain(refused);
  if (refused.length + faulty.length + files.length + others.length === 0) return null;
  return (
    <Stack gap="xs" mb="md">
      {others.map(({ person, name = 'otra persona', orders }) => (
        <Text key={person}>
          En este teléfono {orders === 1 ? 'queda 1 entrega' : `quedan ${orders} entregas`} de {name}: que entre para{' '}
          {orders === 1 ? 'enviarla' : 'enviarlas'}
        </Text>
      ))}
      {files.length > 0 && (
        <Text c="dimmed">
          {files.length === 1 ? 'Queda 1 foto o firma' : `Quedan ${files.length} fotos o firmas`} por enviar:{' '}
          {[...new Set(files.map(({ numero }) => numero))].join(', ')}
        </Text>
      )}
      {refused.length + faulty.length > 0 && (
        <Alert color="orange" p="sm">
          <Stack>
            {refused.map((operation) => (
              <Told key={operation.id} operation={operation} title={`${operation.numero}: no se ha registrado`} />
            ))}
            {faulty.map((operation) => (
              <Told key={operation.id} operation={operation} title={`${operation.numero}: aún no se ha registrado, se volverá a enviar`} />
            ))}
            <Group>
              {refused.length > 0 && (
                <Button size="sm" variant="default" mih={48} onClick={() => refused.map(({ id }) => hide(id))}>
                  Entendido
                </Button>
              )}
              {faulty.length > 0 && (
                <Button size="sm" variant="default" mih={48} onClick={sendNow}>
                  Enviar otra vez
                </Button>
              )}
            </Group>
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}

function Told({ operation, title }: { operation: Operation; title: string }) {
  const { label, at, reason, body, reported, state } = operation;
  const typed = [...typedWords(body, money), ...(typeof body.texto === 'string' ? [`«${body.texto}»`] : [])];
  return (
    <div>
      <Text fw={600}>{title}</Text>
      <Text>
        Lo que hiciste: <strong>{label}</strong> {when(at)} · {reason}
      </Text>
      {typed.length > 0 && <Text>{typed.join(' · ')}</Text>}
      {state === 'rechazado' && !reported && <Text>Queda en este teléfono hasta que la oficina lo sepa.</Text>}
      {isCorrectable(operation) && (
        <Button size="sm" variant="default" mih={48} mt={4} renderRoot={(props) => <Link {...props} {...formOf(operation)} />}>
          Corregir
        </Button>
      )}
    </div>
  );
}
