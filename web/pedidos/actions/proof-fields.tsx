import { Button, Group, Input, Select, Text, TextInput } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { INPUTS } from '../../../contract/pedidos/inputs.ts';
import { FORMA_LABEL, FORMAS_ENTREGA, type PruebaPedida, RELACION_LABEL, RELACIONES } from '../../../contract/pruebas/fields.ts';
import type { ReglasEntrega } from '../../../contract/pruebas/pruebas.ts';
import { lazyPart } from '../../lazy.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ChoiceTiles } from '../../ui/form/choice-tiles.tsx';
import type { Named } from '../subject.tsx';
import { PhotoField } from './photo-field.tsx';
import type { ProofForm } from './use-proof.ts';

const SignatureSurface = lazyPart(() => import('./signature-dialog.tsx'));
const FORMAS = FORMAS_ENTREGA.map((value) => ({ value, label: FORMA_LABEL[value] }));

type Props = {
  form: ProofForm;
  pedido: Named;
  reglas: ReglasEntrega;
  required: boolean;
  damaged: boolean;
  preparing: boolean;
  onPreparing: (preparing: boolean) => void;
};

/** Inputs for how an order was delivered, with the proof that the settings require (decision 057). */
export function ProofFields({ form, pedido, reglas, required, damaged, ...photo }: Props) {
  const { forma_entrega: forma } = form.values;
  // True once the PIN attempts are used up.
  const [noPin, setNoPin] = useState(false);
  useEffect(() => {
    if (form.errors.motivo) setNoPin(true);
  }, [form.errors.motivo]);
  const asks = (what: PruebaPedida) => forma !== null && (reglas[forma][what] ?? 'no') !== 'no';
  const mark = (what: PruebaPedida, label: string) =>
    required && forma && reglas[forma][what] === 'obligatoria' ? label : `${label} (opcional)`;
  return (
    <>
      <ChoiceTiles
        label={INPUTS.forma_entrega.label}
        options={FORMAS}
        value={forma}
        onChange={(value) => form.setFieldValue('forma_entrega', value)}
        error={form.errors.forma_entrega}
      />
      {asks('receptor') && (
        <TextInput
          label={mark('receptor', INPUTS.receptor_nombre.label)}
          maxLength={INPUTS.receptor_nombre.max}
          autoComplete="off"
          {...form.getInputProps('receptor_nombre')}
        />
      )}
      {forma === 'otra_persona' && asks('receptor') && (
        <Relation form={form} allowed={!!pedido.vecino_at} label={mark('receptor', INPUTS.receptor_relacion.label)} />
      )}
      {asks('pin') && (
        <TextInput
          label={mark('pin', INPUTS.pin.label)}
          description="Cuatro cifras; el cliente las ve en la página de su pedido"
          inputMode="numeric"
          autoComplete="off"
          maxLength={INPUTS.pin.max}
          {...form.getInputProps('pin')}
        />
      )}
      {asks('pin') && noPin && (
        <TextInput label="Por qué se entrega sin PIN" maxLength={INPUTS.motivo.max} {...form.getInputProps('motivo')} />
      )}
      {asks('firma') && <Signature form={form} label={mark('firma', 'Firma')} />}
      {(asks('foto') || damaged) && (
        <PhotoField
          {...photo}
          value={form.values.foto}
          onChange={(foto) => form.setFieldValue('foto', foto)}
          label={mark('foto', 'Foto')}
          error={form.errors.foto}
        />
      )}
    </>
  );
}

function Relation({ form, allowed, label }: { form: ProofForm; allowed: boolean; label: string }) {
  const data = RELACIONES.map((value) => ({ value, label: RELACION_LABEL[value], disabled: value === 'vecino' && !allowed }));
  return (
    <Select
      allowDeselect={true}
      label={label}
      description={allowed ? 'El cliente permite dejarlo a un vecino' : 'El cliente no ha permitido dejarlo a un vecino'}
      data={data}
      {...form.getInputProps('receptor_relacion')}
    />
  );
}

function Signature({ form, label }: { form: ProofForm; label: string }) {
  const [open, setOpen] = useState(false);
  const { firma } = form.values;
  return (
    <Input.Wrapper label={label} labelElement="div" error={form.errors.firma}>
      <Group mt={4}>
        <Button variant="default" mih={48} leftSection={<IconSignature size={18} aria-hidden />} onClick={() => setOpen(true)}>
          {firma ? 'Ver o cambiar la firma' : 'Firmar'}
        </Button>
        {firma && <Text>Firmado</Text>}
      </Group>
      <Dialog opened={open} onClose={() => setOpen(false)} title="Firma de quien recibe">
        <Suspense>
          <SignatureSurface value={firma} onChange={(value) => form.setFieldValue('firma', value)} onDone={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </Input.Wrapper>
  );
}
