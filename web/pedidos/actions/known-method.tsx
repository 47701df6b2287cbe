import { Button, Group, Text } from '@mantine/core';
import { METODO_ENTREGA_LABEL } from '../../../contract/pedidos/metodos.ts';

/** Delivery method of orders assigned to the own van, in one line. */
export const KnownMethod = ({ onChange }: { onChange: () => void }) => (
  <Group gap="xs">
    <Text size="sm">
      Método de entrega: <strong>{METODO_ENTREGA_LABEL.manual}</strong>
    </Text>
    <Button variant="subtle" size="compact-sm" data-autofocus aria-label="Cambiar el método de entrega" onClick={onChange}>
      Cambiar
    </Button>
  </Group>
);
