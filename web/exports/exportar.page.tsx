import { Stack } from '@mantine/core';
import { createExport, listExports } from '../../contract/exports.ts';
import { useApi, useMutate } from '../api.ts';
import { number } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { toast } from '../ui/toast.tsx';
import { useFinished } from '../ui/use-finished.ts';
import { ExportForm } from './export-form.tsx';
import { RecentExports } from './recent-exports.tsx';

const FORMAT_LABEL = { xlsx: 'Excel', csv: 'CSV' };

/** Exportar Datos (specification, section 2.18): built by the server from everything that matches. */
export default function ExportarPage() {
  const recent = useApi(listExports, {}, { refetchInterval: 15_000 });
  const running = recent.data?.data.find((record) => record.estado === 'en_curso');

  const begun = useFinished(recent.data?.data, (record) => {
    if (record.estado === 'listo') {
      toast.success(`Se han exportado ${number(record.hechas)} registros en formato ${FORMAT_LABEL[record.formato]}`, {
        title: 'Exportación completada',
      });
    } else if (record.estado === 'error')
      toast.error('No se pudo hacer el archivo. Inténtalo de nuevo.', { title: 'Error en exportación' });
  });
  const start = useMutate(createExport, {
    success: false,
    failure: 'Error en exportación',
    invalidates: [listExports],
    onSuccess: ({ data }) => begun(data.id),
  });

  return (
    <>
      <PageHeader title="Exportar Datos" subtitle="Todo lo que coincide, no solo lo que se ve en pantalla" />
      <Stack gap="lg" maw="46rem">
        <ExportForm busy={start.isPending || running !== undefined} onSubmit={(body) => start.mutate({ body })} />
        <RecentExports records={recent.data?.data} error={recent.error} onRetry={() => void recent.refetch()} />
      </Stack>
    </>
  );
}
