import { Text } from '@mantine/core';
import { lineWords, summaryWords } from '../summary.ts';
import { type Summarised, useLines } from './use-lines.ts';

/** Lines of an order without prices. Shows the summary for a single line, and until the lines load. */
export function LineList({ pedido }: { pedido: Summarised }) {
  const known = useLines(pedido);
  if (!known || known.coming) return summaryWords(pedido);
  return (
    <Text component="ul" inherit aria-label="Líneas del pedido" my={0} pl="lg">
      {known.lines.map((line) => (
        <li key={line.numero}>{lineWords(line)}</li>
      ))}
    </Text>
  );
}
