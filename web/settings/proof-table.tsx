import '@mantine/core/styles/Table.css';
import { NativeSelect, Table } from '@mantine/core';
import { EXIGENCIAS, FORMA_LABEL, FORMAS_ENTREGA, PRUEBA_LABEL, PRUEBAS_DE, type PruebaPedida } from '../../contract/pruebas/fields.ts';
import { SETTINGS } from '../../contract/settings/fields.ts';
import type { FieldName } from '../../contract/settings/values.ts';
import type { InputsOf } from './setting-input.tsx';
import classes from './settings.module.css';

const KINDS = Object.keys(PRUEBA_LABEL) as PruebaPedida[];
const OPTIONS = Object.entries(EXIGENCIAS).map(([value, label]) => ({ value, label }));
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Table of the required proofs, by way of delivery and kind. */
export function ProofTable({ form }: { form: InputsOf }) {
  return (
    <Table className={classes.proofs} withRowBorders={false} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Cómo se entrega</Table.Th>
          {KINDS.map((kind) => (
            <Table.Th key={kind}>{capital(PRUEBA_LABEL[kind])}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {FORMAS_ENTREGA.map((forma) => (
          <Table.Tr key={forma}>
            <Table.Th scope="row">{FORMA_LABEL[forma]}</Table.Th>
            {KINDS.map((kind) => {
              const name = `prueba_${forma}_${kind}` as FieldName;
              if (!(PRUEBAS_DE[forma] as readonly string[]).includes(kind)) return <Table.Td key={kind} className={classes.noProof} />;
              return (
                <Table.Td key={kind} data-kind={capital(PRUEBA_LABEL[kind])}>
                  <NativeSelect size="xs" aria-label={SETTINGS[name].label} data={OPTIONS} {...form.getInputProps(name)} />
                </Table.Td>
              );
            })}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
