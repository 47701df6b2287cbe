import { Text } from '@mantine/core';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import { fecha, money } from '../ui/format/format.ts';
import { Section } from '../ui/page/section.tsx';
import classes from './pagar.module.css';

/** Refunds of the order, made and pending. */
export function Refunds({ of }: { of: PagoPublico['devoluciones'] }) {
  if (of.length === 0) return null;
  return (
    <Section title="Devolución" className={classes.block}>
      {of.map(({ importe, hecha, fecha: day }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: refunds of the same amount and day are interchangeable
        <Text key={i} mt="xs">
          {hecha
            ? `Te devolvimos ${money(importe)} el ${fecha(day)}. Tu banco puede tardar unos días en mostrarlo.`
            : `Te devolvemos ${money(importe)} como muy tarde el ${fecha(day)}, por el mismo medio con el que pagaste.`}
        </Text>
      ))}
    </Section>
  );
}
