import { LLAMADO_LABEL } from '../../../contract/pedidos/attempts.ts';
import { listIntentos } from '../../../contract/pedidos/pedidos.ts';
import { useApi } from '../../api.ts';
import { fechaHora } from '../../ui/format/format.ts';
import { Section } from '../../ui/page/section.tsx';
import classes from './delivery-proof.module.css';

export function AttemptList({ id }: { id: string }) {
  const { data } = useApi(listIntentos, { params: { id } });
  return (
    <ul aria-label="Intentos fallidos">
      {data?.data.map(({ id, created_at, motivo, llamado, transportista_nombre, fotos }) => (
        <li key={id}>
          {fechaHora(created_at)}: {motivo} ({transportista_nombre}
          {llamado && `; llamó: ${LLAMADO_LABEL[llamado].toLowerCase()}`}){fotos.some(({ enviada }) => !enviada) && '. Falta la foto'}
          {fotos.map(
            ({ url }) =>
              url && (
                <a key={url} href={url} target="_blank" rel="noreferrer" className={classes.proof}>
                  <img src={url} alt={`Foto del intento, ${fechaHora(created_at)}`} loading="lazy" />
                </a>
              ),
          )}
        </li>
      ))}
    </ul>
  );
}

/** Section with the failed attempts; empty while the order waits for an answer, because `IncidentNotice` then lists the attempts. */
export default function Attempts({ pedido }: { pedido: { id: string; motivo?: string | null; incidencia_at?: string | null } }) {
  if (!pedido.motivo || pedido.incidencia_at) return null;
  return (
    <Section title="Intentos fallidos" order={3} mb="xs">
      <AttemptList id={pedido.id} />
    </Section>
  );
}
