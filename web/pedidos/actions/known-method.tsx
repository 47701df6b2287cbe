import { Button, Group, Text } from '@mantine/core';
import { METODO_ENTREGA_LABEL } from '../../../contract/pedidos/metodos.ts';

/** Delivery method, in one line, of an order assigned to the shop's own van. */
export const KnownMethod = ({ onChange }: { onChange: () => void }) => (
  <Group>
    <Text>
      Método de entrega: <strong>{METODO_ENTREGA_LABEL.manual}</strong>
    </Text>
    <Button variant="subtle" size="compact-sm" data-autofocus aria-label="Cambiar el método de entrega" onClick={onChange}>
      Cambiar
    </Button>
  </Group>
);
