import { Button, Group, Text, Textarea, type TextareaProps } from '@mantine/core';
import { fillTexto, MOMENTOS, type Placeholder, problemOfTexto } from '../../contract/avisos-cliente/fields.ts';
import { momentoOf } from '../../contract/settings/avisos.ts';

const SAMPLE: Record<Placeholder, string> = {
  cliente: 'Ana Ruiz',
  pedido: 'ORD-2026000123',
  tienda: 'la tienda',
  direccion: 'Calle Mayor 3, 2.º B',
  dia: 'el jueves 26',
  repartidor: 'Tomás Gil',
  enlace: 'https://…/pagar/…',
};

type Props = TextareaProps & { name: string; value?: string; onRestore: (texto: string) => void };

/** Field for the text of a message to customers, with a preview. */
export function MessageField({ name, value = '', onRestore, ...field }: Props) {
  const momento = momentoOf(name);
  if (!momento) return <Textarea {...field} value={value} />;
  const { texto, label } = MOMENTOS[momento];
  return (
    <div>
      <Textarea {...field} value={value} rows={4} maxLength={600} />
      {!problemOfTexto(momento, value) && value.trim() && (
        <Text size="sm" c="dimmed" maw="34rem" mt={4} style={{ overflowWrap: 'anywhere' }}>
          Se leerá: {fillTexto(value, SAMPLE)}
        </Text>
      )}
      {value !== texto && (
        <Group mt={4}>
          <Button variant="subtle" size="compact-sm" aria-label={`Volver al texto de Enruta: ${label}`} onClick={() => onRestore(texto)}>
            Volver al texto de Enruta
          </Button>
        </Group>
      )}
    </div>
  );
}
