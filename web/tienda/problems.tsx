import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Fuente } from '../../contract/tienda/tienda.ts';

export function ShopProblems({ fuentes }: { fuentes: readonly Fuente[] }) {
  return fuentes
    .filter(({ problema }) => problema)
    .map(({ id, nombre, problema }) => (
      <Alert key={id} color="orange" variant="light" icon={<IconAlertTriangle size={18} />}>
        «{nombre}» {problema}
      </Alert>
    ));
}
