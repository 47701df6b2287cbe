import { useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { FAILED_REASONS, LLAMADO_LABEL, LLAMADOS, type Llamado } from '../../contract/pedidos/attempts.ts';
import { TRANSITIONS } from '../../contract/pedidos/flow.ts';
import { inputField } from '../../contract/pedidos/inputs.ts';
import { PhotoField } from '../pedidos/actions/photo-field.tsx';
import { proofFiles, useReglas } from '../pedidos/actions/use-proof.ts';
import { type StepProps, useStep } from '../pedidos/actions/use-step.ts';
import { StepWithdrawn } from '../pedidos/actions/withdrawn.tsx';
import { type Named, Subject } from '../pedidos/subject.tsx';
import { FormDialog } from '../ui/dialog/form-dialog.tsx';
import { ChoiceTiles } from '../ui/form/choice-tiles.tsx';
import { GrowingTextarea } from '../ui/form/form-actions.tsx';
import { ThumbForm } from '../ui/form/thumb-form.tsx';

type Props = {
  pedido: Named | undefined;
  onClose: () => void;
  made: boolean;
};

const OTHER = 'Otro motivo';
const REASONS = [...Object.keys(FAILED_REASONS), OTHER].map((value) => ({
  value,
  label: value,
}));
const CALLED = LLAMADOS.map((value) => ({ value, label: LLAMADO_LABEL[value] }));
const MAX_DETAIL = 250;

/** Asks for the reason of a failed delivery attempt («Intento fallido» of the state table). */
export const FailedAttemptDialog = ({ pedido, onClose, made }: Props) => (
  <FormDialog opened={!!pedido} onClose={onClose} title={TRANSITIONS.fallar.label}>
    {(inDialog) => pedido && <ReasonForm pedido={pedido} made={made} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

function ReasonForm(props: StepProps) {
  const tile = useRef<HTMLButtonElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const form = useForm<{ reason: string | null; motivo: string; llamado: Llamado | null; foto: string }>({
    initialValues: { reason: null, motivo: '', llamado: null, foto: '' },
  });
  const [preparing, setPreparing] = useState(false);
  const takesPhotos = useReglas() !== undefined;
  const { save, busy, withdrawn } = useStep(form, props, {
    success: 'Intento fallido registrado: el pedido sigue siendo tuyo',
    failure: 'No se pudo registrar el intento fallido',
  });

  async function submit() {
    const { reason } = form.values;
    const detail = form.values.motivo.trim();
    const unexplained = reason === OTHER && !detail;
    form.setErrors({
      ...(!reason && { reason: 'Por favor, selecciona un motivo' }),
      ...(unexplained && { motivo: 'Por favor, explica el motivo' }),
    });
    if (!reason) return tile.current?.focus();
    if (unexplained) return text.current?.focus();
    const motivo = reason === OTHER ? detail : [reason, detail].filter(Boolean).join(': ');
    const step = { estado: TRANSITIONS.fallar.to, paso: 'fallar' as const, motivo, llamado: form.values.llamado };
    const files = takesPhotos ? await proofFiles('', form.values.foto) : [];
    save({ ...step, ...(files.length > 0 && { pruebas: files.map(({ tipo, sha256 }) => ({ tipo, sha256 })) }) }, files);
  }

  const other = { label: 'Cancelar', onClick: props.onCancel };
  if (withdrawn !== undefined) return <StepWithdrawn pedido={props.pedido} by={withdrawn} onClose={props.onDone} />;
  return (
    <ThumbForm onSubmit={() => void submit()} submit="Registrar intento fallido" busy={busy || preparing} other={other}>
      <Subject pedido={props.pedido} />
      <ChoiceTiles
        label="Motivo"
        options={REASONS}
        current={tile}
        value={form.values.reason}
        onChange={(value) => form.setFieldValue('reason', value)}
        error={form.errors.reason}
      />
      <GrowingTextarea
        ref={text}
        label={form.values.reason === OTHER ? 'Explica el motivo' : 'Detalles (opcional)'}
        withAsterisk={form.values.reason === OTHER}
        minRows={2}
        maxRows={5}
        maxLength={MAX_DETAIL}
        {...form.getInputProps('motivo')}
      />
      <ChoiceTiles
        label={inputField('llamado').label}
        optional
        options={CALLED}
        value={form.values.llamado}
        onChange={(llamado) => form.setFieldValue('llamado', llamado)}
      />
      {takesPhotos && (
        <PhotoField
          label="Foto (opcional)"
          subject="la puerta o el paquete"
          preparing={preparing}
          onPreparing={setPreparing}
          value={form.values.foto}
          onChange={(foto) => form.setFieldValue('foto', foto)}
        />
      )}
    </ThumbForm>
  );
}
