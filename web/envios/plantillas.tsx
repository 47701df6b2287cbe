import '@mantine/core/styles/Switch.css';
import { Badge, Button, Group, Paper, Select, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { listPlantillas, type Plantilla, updatePlantilla } from '../../contract/envios/envios.ts';
import { CODIFICACIONES, columnasText, ENVIO_FIELDS, parseColumnas, SEPARADORES } from '../../contract/envios/plantilla.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm, GrowingTextarea, onValid } from '../ui/form/form-actions.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';

export function Plantillas() {
  const plantillas = useApi(listPlantillas, {});
  const [edited, setEdited] = useState<Plantilla>();
  return (
    <Panel title="Plantillas de envío">
      <Text c="dimmed" mb="sm">
        Qué lleva el fichero de cada empresa. Las que vienen puestas están sin verificar: compáralas con lo que te pide la tuya.
      </Text>
      <Loaded query={plantillas} failed="No se pudieron cargar las plantillas" waiting={<Skeletons heights={[48, 48]} />}>
        {({ data }) => (
          <Stack component="ul" gap="xs">
            {data.map((plantilla) => (
              <Paper component="li" key={plantilla.clave} withBorder p="xs">
                <Group justify="space-between">
                  <Group>
                    <Text size="md" fw={600}>
                      {plantilla.nombre}
                    </Text>
                    <Badge variant="light" color={plantilla.verificada ? 'green' : 'orange'} autoContrast={false}>
                      {plantilla.verificada ? 'Verificada' : 'Sin verificar'}
                    </Badge>
                  </Group>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Cambiar la plantilla de ${plantilla.nombre}`}
                    onClick={() => setEdited(plantilla)}
                  >
                    Cambiar
                  </Button>
                </Group>
              </Paper>
            ))}
          </Stack>
        )}
      </Loaded>
      <FormDialog opened={!!edited} onClose={() => setEdited(undefined)} title={`Plantilla de ${edited?.nombre ?? ''}`} size="lg">
        {(inDialog) => edited && <PlantillaForm key={edited.clave} plantilla={edited} onClose={() => setEdited(undefined)} {...inDialog} />}
      </FormDialog>
    </Panel>
  );
}

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

function PlantillaForm({ plantilla, dirty, onCancel, onClose }: { plantilla: Plantilla; onClose: () => void } & InDialog) {
  const { clave, nombre: _, metodo_entrega: __, version, columnas, ...formato } = plantilla;
  const form = useForm({
    initialValues: { ...formato, columnas: columnasText(columnas) },
    validate: {
      columnas: (text) => {
        const read = parseColumnas(text);
        return typeof read === 'string' ? read : null;
      },
    },
  });
  const save = useMutate(updatePlantilla, {
    success: 'Plantilla guardada',
    failure: 'No se pudo guardar la plantilla',
    invalidates: [listPlantillas],
    onSuccess: onClose,
  });
  const submit = onValid(form, ({ columnas: text, ...values }) => {
    const read = parseColumnas(text);
    if (typeof read !== 'string') save.mutate({ params: { empresa: clave }, body: { ...values, columnas: read, version } });
  });
  return (
    <DialogForm onSubmit={submit} submit="Guardar" busy={save.isPending} onCancel={onCancel} form={form} dirty={dirty}>
      <GrowingTextarea
        label="Columnas"
        description="Una por línea: título | contenido | largo máximo. Los campos van entre llaves, con el texto que quieras alrededor."
        minRows={6}
        maxRows={16}
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace' } }}
        {...form.getInputProps('columnas')}
      />
      <details>
        <Text component="summary">Campos que se pueden usar</Text>
        {Object.entries(ENVIO_FIELDS).map(([name, words]) => (
          <Text key={name}>
            {`{${name}}`}: {words}
          </Text>
        ))}
      </details>
      <Group gap="md" grow>
        <Select label="Separador" data={optionsOf(SEPARADORES)} {...form.getInputProps('separador')} />
        <Select label="Codificación" data={optionsOf(CODIFICACIONES)} {...form.getInputProps('codificacion')} />
      </Group>
      <Switch label="Coma decimal" {...form.getInputProps('coma_decimal', { type: 'checkbox' })} />
      <Switch label="La primera línea lleva los títulos" {...form.getInputProps('con_titulos', { type: 'checkbox' })} />
      <Switch label="Verificada con la empresa" {...form.getInputProps('verificada', { type: 'checkbox' })} />
    </DialogForm>
  );
}
