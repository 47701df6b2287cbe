import { Paper, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Pack } from '../../../contract/products.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import { ErrorState } from '../../ui/list/error-state.tsx';
import { PackPicker, type usePacks } from '../pack-picker.tsx';
import type { NewPedidoValues } from './draft.ts';
import classes from './new.module.css';

type Props = {
  form: Pick<UseFormReturnType<NewPedidoValues>, 'getInputProps'>;
  packs: ReturnType<typeof usePacks>;
  pack: Pack | undefined;
  /** Title of the error when the packs cannot be loaded. */
  failure: string;
  children?: ReactNode;
};

export function PackQuantity({ form, packs: { packs, error, refetch }, pack, failure, children }: Props) {
  const input = form.getInputProps('pack_id');
  return (
    <Paper p="md" component="section" aria-labelledby="pack">
      <Title order={2} id="pack" mb="sm">
        Selección de Pack
      </Title>
      {error && !packs ? (
        <ErrorState title={failure} error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.pack}>
          <PackPicker
            {...input}
            packs={packs}
            label="Pack"
            withAsterisk
            aria-required
            value={pack?.id ?? null}
            onChange={(value) => input.onChange(value ?? '')}
          />
          <NumberField
            {...form.getInputProps('cantidad')}
            label="Cantidad"
            description={pack && pack.pack_quantity > 1 ? `Packs de ${pack.pack_quantity} unidades` : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            withAsterisk
            aria-required
            min={1}
          />
          {children}
        </div>
      )}
    </Paper>
  );
}
