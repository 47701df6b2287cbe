import '@mantine/core/styles/List.css';
import { Alert, Anchor, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { typedPostcode } from '../../../contract/text/postcode.ts';
import { fecha } from '../../ui/format/format.ts';
import type { ClienteValues } from '../cliente/cliente-values.ts';
import { poblacionesDe } from '../cliente/poblaciones.ts';
import { phoneWarning, postcodeDoubt, postcodeWarning, townWarning } from '../cliente/warnings.ts';
import { useDuplicates } from './use-duplicates.ts';

const NONE: readonly string[] = [];

/** Towns of the postcode; empty while loading. */
function useTowns({ cliente_codigo_postal: postcode, cliente_pais: country }: ClienteValues): readonly string[] {
  const [found, setFound] = useState({ postcode: '', towns: NONE });
  useEffect(() => {
    let latest = true;
    void poblacionesDe(postcode, country).then((towns) => latest && setFound({ postcode, towns }));
    return () => {
      latest = false;
    };
  }, [postcode, country]);
  return found.postcode === postcode ? found.towns : NONE;
}

/** Warnings to review before creating the order; warnings never block. */
export function WarningsPanel({ values }: { values: ClienteValues }) {
  const duplicates = useDuplicates(values);
  const towns = useTowns(values);
  // An incomplete postcode is still being typed.
  const whole = typedPostcode(values.cliente_codigo_postal).length >= 5;
  const odd = [whole ? postcodeDoubt(values) : undefined, postcodeWarning(values), townWarning(values, towns), phoneWarning(values)].filter(
    (warning) => warning !== undefined,
  );
  return (
    <div aria-live="polite">
      {(odd.length > 0 || duplicates.length > 0) && (
        <Alert color="orange" role="note" p="xs" mb="sm" icon={<IconAlertTriangle size={18} />} title="Revisa antes de crear">
          <List size="sm" spacing={4} listStyleType="none">
            {odd.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
            {duplicates.map(({ id, numero_orden, fecha_pedido, estado }) => (
              <List.Item key={id}>
                Puede ser el mismo que{' '}
                <Anchor
                  size="sm"
                  underline="always"
                  renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id }} target="_blank" />}
                >
                  {numero_orden}
                </Anchor>
                , del {fecha(fecha_pedido)} ({ESTADO[estado].label}).
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  );
}
