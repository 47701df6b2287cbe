import '@mantine/core/styles/List.css';
import { Alert, Anchor, List } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { isWhole, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { typedPostcode } from '../../../contract/text/country.ts';
import { telephoneDigits } from '../../../contract/text/telephone.ts';
import { useApi } from '../../api.ts';
import { presetRange } from '../../ui/form/date-range.presets.ts';
import { fecha, today } from '../../ui/format/format.ts';
import type { ClienteValues } from '../cliente/cliente-values.ts';
import { loadProvinces, type Provinces, prefixOf } from '../cliente/poblaciones.ts';
import { doubtsOf, isSameCliente, postcodeDoubt } from '../cliente/warnings.ts';

/** Towns of the postcode's province, by its prefix; empty while loading. */
function useProvinces({ cliente_codigo_postal, cliente_pais }: ClienteValues): Provinces {
  const [found, setFound] = useState<Provinces>(new Map());
  const prefix = prefixOf(cliente_codigo_postal, cliente_pais);
  useEffect(() => void (prefix && loadProvinces([prefix]).then(setFound)), [prefix]);
  return found;
}

/** What will be asked when the order is created, and possible duplicates; warnings never block. */
export function WarningsPanel({ values }: { values: ClienteValues }) {
  const duplicates = useDuplicates(values);
  const doubts = doubtsOf(values, useProvinces(values));
  // An incomplete postcode is still being typed.
  const whole = typedPostcode(values.cliente_codigo_postal).length >= 5;
  const odd = doubts.filter((doubt) => whole || doubt !== postcodeDoubt(values));
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

/** Possible duplicates from the last seven days: same phone, or same name and address. */
function useDuplicates(values: ClienteValues): Pedido[] {
  const phone = telephoneDigits(values.cliente_telefono);
  const byPhone = useRecent(phone.length >= 7 ? phone : '');
  const byName = useRecent(values.cliente_direccion.trim() ? values.cliente_nombre.trim() : '');
  const found = [...byPhone, ...byName].filter((pedido) => pedido.estado !== 'cancelado' && isSameCliente(values, pedido));
  return [...new Map(found.map((pedido) => [pedido.id, pedido])).values()];
}

function useRecent(typed: string): Pedido[] {
  const [search] = useDebouncedValue(typed.slice(0, 100), 400);
  const { from: fecha_desde } = presetRange('ultimos-7-dias', today());
  const { data } = useApi(
    listPedidos,
    { query: { search, fecha_desde, per_page: 50 } },
    { enabled: search.length >= 3, staleTime: 30_000 },
  );
  return data?.data.filter(isWhole) ?? [];
}
