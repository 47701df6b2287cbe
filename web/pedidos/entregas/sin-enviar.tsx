import { Text } from '@mantine/core';
import { IconCloudUpload } from '@tabler/icons-react';
import { listSinEnviar } from '../../../contract/transportista/transportista.ts';
import { useApi } from '../../api.ts';
import { fechaHora, hora, isoDay, today } from '../../ui/format/format.ts';
import classes from './entregas.module.css';

const since = (at: string) => (isoDay(at) === today() ? `las ${hora(Date.parse(at))}` : `el ${fechaHora(at)}`);

/** Orders by carrier whose steps wait on a telephone for coverage; renders nothing if there are none. */
export function SinEnviar() {
  const { data } = useApi(listSinEnviar, {}, { refetchInterval: 60_000 });
  if (!data?.data.length) return null;
  return (
    <ul className={classes.unsent} aria-label="Sin enviar en los teléfonos">
      {data.data.map(({ transportista_id, transportista_nombre, pedidos, desde }) => (
        <Text component="li" size="sm" key={transportista_id}>
          <IconCloudUpload size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> {transportista_nombre}:{' '}
          {pedidos === 1 ? '1 entrega' : `${pedidos} entregas`} sin enviar desde {since(desde)}
        </Text>
      ))}
    </ul>
  );
}
