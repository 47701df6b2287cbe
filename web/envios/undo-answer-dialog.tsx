import { plural } from '../../contract/text/plural.ts';
import '@mantine/core/styles/List.css';
import { List, Skeleton, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { deshacerRespuesta, type Envio, listEnvios, verRespuesta } from '../../contract/envios/envios.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm } from '../ui/form/form-actions.tsx';
import { fechaHora } from '../ui/format/format.ts';

/** Takes the latest answer of a batch back: says beforehand what goes back, and which orders stay and why. */
export function UndoAnswerDialog({ envio, onClose }: { envio: Envio | undefined; onClose: () => void }) {
  return (
    <FormDialog opened={!!envio} onClose={onClose} title={`Deshacer la respuesta de ${envio?.empresa ?? ''}`} fillsPhone={false}>
      {(inDialog) =>
        envio?.respuesta && <UndoForm key={envio.respuesta.id} answer={envio.respuesta} of={envio.empresa} onDone={onClose} {...inDialog} />
      }
    </FormDialog>
  );
}

type Props = InDialog & { answer: NonNullable<Envio['respuesta']>; of: string; onDone: () => void };

function UndoForm({ answer: { id, created_at, leida_por }, of, onDone, ...inDialog }: Props) {
  const { data, error } = useApi(verRespuesta, { params: { id } });
  const undo = useMutate(deshacerRespuesta, {
    success: `Respuesta de ${of} deshecha`,
    failure: 'No se pudo deshacer la respuesta',
    limit: 120_000,
    invalidates: [listEnvios, listPedidos],
    onSuccess: onDone,
  });
  if (error) return <Text role="alert">{error.message}</Text>;
  const { entregas, incidencias, se_quedan } = data?.data ?? { entregas: 0, incidencias: 0, se_quedan: [] };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    undo.mutate({ params: { id }, body: { se_quedan: se_quedan.map((order) => order.id) } });
  };
  return (
    <DialogForm
      {...inDialog}
      onSubmit={submit}
      submit={se_quedan.length > 0 ? 'Deshacer lo demás' : 'Deshacer'}
      busy={undo.isPending || !data}
      danger
    >
      <Text>
        La que leyó {leida_por}, {fechaHora(created_at)}.
      </Text>
      {data ? (
        <>
          <List aria-label="Qué se deshace">
            {entregas > 0 && (
              <List.Item>
                {plural(entregas, 'entrega')}: cada pedido vuelve a esperar a {of}, y lo que hizo la entrega se anula con apuntes en contra
              </List.Item>
            )}
            {incidencias > 0 && <List.Item>{plural(incidencias, 'incidencia')}</List.Item>}
            <List.Item>Sus filas de «No encajan»</List.Item>
          </List>
          {se_quedan.length > 0 && (
            <div>
              <Text fw={600} role="alert">
                {plural(se_quedan.length, 'pedido se queda', 'pedidos se quedan')} como está
                {se_quedan.length === 1 ? '' : 'n'}
              </Text>
              <List aria-label="Pedidos que se quedan como están">
                {se_quedan.map(({ id: order, numero_orden, motivo }) => (
                  <List.Item key={order}>
                    {numero_orden}: {motivo}
                  </List.Item>
                ))}
              </List>
            </div>
          )}
        </>
      ) : (
        <Skeleton h={96} />
      )}
    </DialogForm>
  );
}
