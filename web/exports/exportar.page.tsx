import { Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import { createExport, listExports } from '../../contract/exports/exports.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { useApi, useMutate } from '../api.ts';
import { number } from '../ui/format/format.ts';
import { operationOf } from '../ui/page/operation.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { toast } from '../ui/page/toast.tsx';
import { useFinished } from '../ui/page/use-finished.ts';
import { ExportForm } from './export-form.tsx';
import { RecentExports, useExportDownload } from './recent-exports.tsx';

const FORMAT_LABEL = { xlsx: 'Excel', csv: 'CSV' };

/** «Exportar Datos» (specification, section 2.18): the server exports everything that matches. */
export default function ExportPage() {
  const recent = useApi(listExports, {}, { refetchInterval: 15_000 });
  const running = recent.data?.data.find((record) => record.estado === 'en_curso');

  const { download } = useExportDownload();
  // Auto-downloads only the exports started in this tab.
  const mine = useRef(new Set<string>());
  const begun = useFinished(recent.data?.data, (record) => {
    if (record.estado === 'listo') {
      if (mine.current.delete(record.id)) void download(record);
      toast.success(`Se han exportado ${number(record.hechas)} registros en formato ${FORMAT_LABEL[record.formato]}`, {
        title: 'Exportación completada',
        action: { label: 'Descargar', onClick: () => download(record) },
        autoClose: 10_000,
      });
    } else if (record.estado === 'error')
      toast.error(record.error ?? 'No se pudo hacer el archivo. Inténtalo de nuevo.', {
        title: 'Error en exportación',
        about: operationOf(createExport),
      });
  });
  // Keeps the button disabled between the click and the refetch of the list: the server refuses a second export.
  const [asked, setAsked] = useState(false);
  const start = useMutate(createExport, {
    success: false,
    failure: 'Error en exportación',
    invalidates: [],
    onSuccess: ({ data }) => {
      mine.current.add(data.id);
      begun(data.id);
    },
  });
  const onSubmit = (body: BodyIn<typeof createExport>) => {
    setAsked(true);
    // A second click starts nothing, and gets the first click's promise.
    void start
      .mutateAsync({ body })
      .then(() => recent.refetch())
      .catch(() => undefined)
      .finally(() => setAsked(false));
  };

  return (
    <>
      <PageHeader title="Exportar Datos" subtitle="Todo lo que coincide, no solo lo que se ve en pantalla" />
      <Stack gap="lg" maw="46rem">
        <ExportForm busy={asked || running !== undefined} onSubmit={onSubmit} />
        <RecentExports query={recent} />
      </Stack>
    </>
  );
}
